// The board as a picture in which what may be chosen is a button. The picture comes from the program that draws boards,
// which escapes every text in it. Where places can be moved, they are dragged, or pushed with the arrow keys.
const STEP = 4;
const PUSH = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export default {
  template: `
    <div class="board" ref="box" @click="clicked" @keydown="key" @focusin="light" @focusout="light"
         @pointerover="light" @pointerleave="light" @pointerdown="begin" @pointermove="drag"
         @pointerup="end" @pointercancel="end"></div>
  `,
  props: { picture: String, offered: Object, looked: Array, movable: Array, joins: Boolean, links: Array },
  data: () => ({ dragged: null, wasDragged: false, pointed: "" }),
  mounted() {
    this.draw();
    this.$el.closest(".game")?.addEventListener("look", (event) => {
      this.pointed = event.detail;
    });
    const theme = () => this.$emit("theme", { dark: document.body.classList.contains("body--dark") });
    theme();
    this.observer = new MutationObserver(theme);
    this.observer.observe(document.body, { attributes: true, attributeFilter: ["class"] });
  },
  beforeUnmount() {
    this.observer.disconnect();
  },
  watch: {
    picture() {
      this.draw();
    },
    offered() {
      this.mark();
    },
    looked() {
      this.mark();
    },
    pointed() {
      this.mark();
    },
    links() {
      this.link();
    },
  },
  methods: {
    draw() {
      const before = this.$refs.box.contains(document.activeElement) ? document.activeElement.dataset.spot : undefined;
      const parsed = new DOMParser().parseFromString(this.picture, "image/svg+xml").documentElement;
      parsed.setAttribute("role", "group"); // as an image it would hide its buttons from those who listen
      this.$refs.box.replaceChildren(...(this.picture ? [document.importNode(parsed, true)] : []));
      this.mark();
      if (before !== undefined) this.spots().find((spot) => spot.dataset.spot === before)?.focus();
    },
    spots() {
      return [...this.$refs.box.querySelectorAll("[data-spot]")];
    },
    mark() {
      const looked = [...this.looked, this.pointed];
      for (const spot of this.spots()) {
        const title = this.offered[spot.dataset.spot];
        spot.classList.toggle("offered", title !== undefined);
        spot.classList.toggle("looked", looked.includes(spot.dataset.spot));
        spot.classList.toggle("movable", this.movable.includes(spot.dataset.spot));
        if (title === undefined) {
          for (const name of ["role", "tabindex", "aria-label"]) spot.removeAttribute(name);
        } else {
          spot.setAttribute("role", "button");
          spot.setAttribute("tabindex", "0");
          spot.setAttribute("aria-label", title);
        }
      }
      this.rim();
      this.link();
    },
    link() {
      // A line for each pair that is connected, from the middle of one to that of the other.
      const picture = this.$refs.box.querySelector("svg");
      picture?.querySelector(".joined")?.remove();
      if (!picture || !this.links.length) return;
      const lines = picture.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "g"));
      lines.setAttribute("class", "joined");
      lines.setAttribute("aria-hidden", "true");
      const spots = new Map(this.spots().map((spot) => [spot.dataset.spot, spot]));
      for (const pair of this.links.filter((each) => each.every((spot) => spots.has(spot)))) {
        const line = lines.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "line"));
        pair.map((spot) => this.middle(spots.get(spot), picture)).forEach(({ x, y }, end) => {
          line.setAttribute(`x${end + 1}`, x);
          line.setAttribute(`y${end + 1}`, y);
        });
      }
    },
    middle(spot, picture) {
      const { x, y, width, height } = spot.getBBox();
      const to = picture.getScreenCTM().inverse().multiply(spot.getScreenCTM());
      return new DOMPoint(x + width / 2, y + height / 2).matrixTransform(to);
    },
    rim() {
      // Over all spots of a kind, as what is painted after a spot hides the edge that they share, but under others'.
      for (const rims of this.$refs.box.querySelectorAll(".rims")) rims.remove();
      const last = new Map(this.spots().map((spot) => [spot.dataset.spot.split(" ")[0], spot]));
      for (const spot of this.spots().filter((each) => each.matches(".offered, .looked"))) {
        const kind = last.get(spot.dataset.spot.split(" ")[0]);
        if (!kind.nextElementSibling?.matches(".rims")) {
          const rims = document.createElementNS("http://www.w3.org/2000/svg", "g");
          rims.setAttribute("class", "rims");
          rims.setAttribute("aria-hidden", "true");
          kind.after(rims);
        }
        for (const shape of spot.querySelectorAll(":scope > :not(title, text)")) {
          const rim = kind.nextElementSibling.appendChild(shape.cloneNode(true));
          rim.dataset.rim = spot.dataset.spot;
          rim.classList.toggle("lit", spot.classList.contains("looked"));
        }
      }
    },
    light() {
      for (const rim of this.$refs.box.querySelectorAll("[data-rim]")) {
        const spot = this.spots().find((each) => each.dataset.spot === rim.dataset.rim);
        rim.classList.toggle("lit", spot?.matches(":hover, :focus-visible, .looked") ?? false);
      }
    },
    clicked(event) {
      const spot = event.target.closest?.("[data-spot]");
      if (spot && !this.wasDragged) this.$emit("spot", { spot: spot.dataset.spot });
      this.wasDragged = false;
    },
    key(event) {
      const spot = event.target.closest?.("[data-spot]");
      if (!spot) return;
      if (event.key === "Enter" || event.key === " ") this.clicked(event);
      else if (PUSH[event.key] && this.movable.includes(spot.dataset.spot)) {
        const [right, down] = PUSH[event.key].map((each) => each * (event.shiftKey ? 1 : STEP));
        this.$emit("moved", { spot: spot.dataset.spot, right, down });
      } else return;
      event.preventDefault();
    },
    at(event) {
      const picture = this.$refs.box.querySelector("svg");
      return new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    },
    begin(event) {
      const spot = event.target.closest?.("[data-spot]");
      if (!spot || event.button !== 0 || !this.movable.includes(spot.dataset.spot)) return;
      this.dragged = { spot, from: this.at(event), by: [0, 0] };
      this.$refs.box.setPointerCapture(event.pointerId);
    },
    drag(event) {
      if (!this.dragged) return;
      const now = this.at(event);
      this.dragged.by = [now.x - this.dragged.from.x, now.y - this.dragged.from.y];
      this.dragged.spot.setAttribute("transform", `translate(${this.dragged.by.join(" ")})`);
    },
    end(event) {
      if (!this.dragged) return;
      const { spot, by } = this.dragged;
      const below = document.elementsFromPoint(event.clientX, event.clientY).map((each) => each.closest("[data-spot]"));
      const other = this.joins && below.find((each) => each && each !== spot && this.$refs.box.contains(each));
      this.dragged = null;
      this.wasDragged = Math.hypot(...by) > 2;
      if (this.wasDragged && other) this.$emit("joined", { spot: spot.dataset.spot, other: other.dataset.spot });
      else if (this.wasDragged) this.$emit("moved", { spot: spot.dataset.spot, right: by[0], down: by[1] });
      else this.$emit("spot", { spot: spot.dataset.spot }); // a captured pointer clicks on the board, not on the spot
      spot.removeAttribute("transform");
    },
  },
};
