// The board as a picture in which what may be chosen is a button. The picture comes from the program that draws boards,
// which escapes every text in it.
export default {
  template: `
    <div class="board" ref="box" @click="clicked" @keydown.enter="clicked" @keydown.space.prevent="clicked"></div>
  `,
  props: { picture: String, offered: Object, looked: String },
  mounted() {
    this.draw();
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
  },
  methods: {
    draw() {
      const parsed = new DOMParser().parseFromString(this.picture, "image/svg+xml").documentElement;
      parsed.setAttribute("role", "group"); // as an image it would hide its buttons from those who listen
      this.$refs.box.replaceChildren(...(this.picture ? [document.importNode(parsed, true)] : []));
      this.mark();
    },
    mark() {
      for (const spot of this.$refs.box.querySelectorAll("[data-spot]")) {
        const title = this.offered[spot.dataset.spot];
        spot.classList.toggle("offered", title !== undefined);
        spot.classList.toggle("looked", spot.dataset.spot === this.looked);
        if (title === undefined) {
          for (const name of ["role", "tabindex", "aria-label"]) spot.removeAttribute(name);
        } else {
          spot.setAttribute("role", "button");
          spot.setAttribute("tabindex", "0");
          spot.setAttribute("aria-label", title);
        }
      }
    },
    clicked(event) {
      const spot = event.target.closest?.("[data-spot]");
      if (spot) this.$emit("spot", { spot: spot.dataset.spot });
    },
  },
};
