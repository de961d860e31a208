"use strict";
const search = document.getElementById("Search");
const found = document.getElementById("Found");
const rules = [...document.querySelectorAll(".rule")].map((part) => [part, part.textContent.toLowerCase()]);
const chapters = [...document.querySelectorAll(".chapter")];
function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const [part, text] of rules) {
    const fits = words.every((word) => text.includes(word));
    part.classList.toggle("away", !fits);
    count += fits;
  }
  for (const chapter of chapters) {
    const inside = [...chapter.querySelectorAll(".rule")];
    const fits = inside.length
      ? inside.some((part) => !part.classList.contains("away"))
      : words.every((word) => chapter.textContent.toLowerCase().includes(word));
    chapter.classList.toggle("away", words.length > 0 && !fits);
  }
  found.textContent = words.length ? `${count} ${count === 1 ? "section" : "sections"}` : "";
}
search.addEventListener("input", show);
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    search.value = "";
    show();
  }
});
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link && search.value) {
    search.value = "";
    show();
  }
});
