// What may be chosen, as buttons, and what is told below them. Where somebody looks at one that lies on the board, the
// board shows where: it is told so in the page, by an event of the part that both are in.
export default {
  template: `
    <ul>
      <li v-for="choice in choices" :key="moment + ' ' + choice.id">
        <button :class="['choice', { card: choice.card }]" type="button" @click="choose(choice)"
                @mouseenter="look(choice.spot)" @mouseleave="look('')" @focus="reached($event, choice)" @blur="look('')">
          <span v-if="choice.card" class="kind">{{ choice.card }}</span>
          <span class="what">{{ choice.title }}</span>
          <span v-if="choice.cost" class="cost">{{ choice.cost }}</span>
          <span v-if="choice.apart" class="apart">{{ choice.apart }}</span>
          <span v-for="part in choice.changes" class="changes">→ {{ part }}</span>
        </button>
      </li>
      <li v-for="line in below">{{ line }}</li>
    </ul>
  `,
  props: { moment: Number, choices: Array, below: Array },
  watch: {
    choices() {
      this.look(""); // a button that is gone is never left
    },
  },
  methods: {
    choose(choice) {
      this.$emit("choose", { id: choice.id, moment: this.moment });
    },
    reached(event, choice) {
      // by keys: what gets the focus after a click or a tap is not what somebody looks at
      if (event.target.matches(":focus-visible")) this.look(choice.spot);
    },
    look(spot) {
      this.$el.closest(".game")?.dispatchEvent(new CustomEvent("look", { detail: spot }));
    },
  },
};
