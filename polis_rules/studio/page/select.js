// A list to choose from as browsers have it, with its name: it works by keyboard and is read out everywhere. Where it is
// `free`, anything else may be typed too.
export default {
  template: `
    <label class="select">
      <span>{{ name }}</span>
      <select v-if="!free" :value="value" @change="told">
        <option v-for="[id, title] in options" :key="id" :value="id">{{ title }}</option>
      </select>
      <template v-else>
        <input :list="'list-' + name" :value="value" @change="told" spellcheck="false" />
        <datalist :id="'list-' + name"><option v-for="[id] in options" :key="id" :value="id"></option></datalist>
      </template>
    </label>
  `,
  props: { name: String, options: Array, value: String, free: Boolean },
  methods: {
    told(event) {
      this.$emit("chosen", { value: event.target.value });
    },
  },
};
