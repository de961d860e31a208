"use strict";
const { boards, told, asked } = JSON.parse(document.getElementById("data").textContent);
const [board, slider, count] = ["board", "moment", "count"].map((id) => document.getElementById(id));
const lines = [...document.querySelectorAll("#told li")];
const pictures = [];
let before = [];
for (const parts of boards) {
  const now = [];
  let at = 0;
  for (const [from, to, text] of parts) {
    now.push(...before.slice(at, from));
    if (text) now.push(...text.split("\n"));
    at = to;
  }
  now.push(...before.slice(at));
  pictures.push(now);
  before = now;
}
let running = 0;
function show(moment) {
  const place = Math.max(0, Math.min(boards.length - 1, moment));
  slider.value = place;
  count.textContent = `${place} of ${boards.length - 1}`;
  const picture = new DOMParser().parseFromString(pictures[place].join("\n"), "image/svg+xml").documentElement;
  board.replaceChildren(document.importNode(picture, true));
  document.getElementById("asked").textContent = asked[place];
  lines.forEach((line, number) => {
    line.hidden = number >= told[place];
    line.classList.toggle("new", number >= (told[place - 1] ?? 0));
  });
  lines[told[place] - 1]?.scrollIntoView({ block: "nearest" });
}
function step(moves) {
  show(Number(slider.value) + moves);
}
function play() {
  clearInterval(running);
  const button = document.getElementById("play");
  running = button.textContent === "Play" ? setInterval(() => step(1), 900) : 0;
  button.textContent = running ? "Stop" : "Play";
}
slider.addEventListener("input", () => show(Number(slider.value)));
document.getElementById("back").addEventListener("click", () => step(-1));
document.getElementById("on").addEventListener("click", () => step(1));
document.getElementById("play").addEventListener("click", play);
document.addEventListener("keydown", (event) => {
  if (event.target === slider) return;
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});
show(0);
