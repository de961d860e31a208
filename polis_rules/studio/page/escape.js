// Tells of the Escape key where it is not meant for something else: a list, a dialog or a field that it closes or leaves.
const ITS_OWN = "input, select, textarea";

export default {
  template: "<span hidden></span>",
  mounted() {
    this.heard = (event) => {
      const meant = event.defaultPrevented || event.target.closest?.(ITS_OWN) || document.querySelector(".q-dialog");
      if (event.key === "Escape" && !event.repeat && !meant) this.$emit("pressed");
    };
    window.addEventListener("keydown", this.heard);
  },
  beforeUnmount() {
    window.removeEventListener("keydown", this.heard);
  },
};
