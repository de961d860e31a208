// A table whose cells are walked through with the arrow keys; Enter or a double click changes one. Texts are never read as
// HTML.
export default {
  template: `
    <div class="grid-box">
      <table role="grid" :aria-label="name" aria-describedby="grid-help" @keydown="key">
        <thead>
          <tr>
            <th scope="col">{{ name }}</th>
            <th v-for="column in columns" scope="col"><span>{{ column.title }}</span><small>{{ column.about }}</small></th>
          </tr>
        </thead>
        <tbody>
          <tr v-for="([id, title, cells], row) in rows" :key="id">
            <th scope="row" :title="id">{{ title }}</th>
            <td v-for="(cell, number) in cells" role="gridcell" :data-at="row + ' ' + number"
                :tabindex="row === at[0] && number === at[1] ? 0 : -1"
                :class="{ changed: cell.changed, unsaid: !cell.said, number: columns[number].kind === 'number' }"
                :aria-readonly="columns[number].kind === 'long' ? 'true' : null"
                @focus="focused(row, number)" @dblclick="edit(row, number)">
              <template v-if="isEdited(row, number)">
                <select v-if="options(number).length && columns[number].kind !== 'several'" v-model="text" ref="field"
                        :aria-label="columns[number].title" @change="put" @blur="leave">
                  <option v-for="[id, title] in options(number)" :value="id">{{ title }}</option>
                </select>
                <fieldset v-else-if="columns[number].kind === 'several'" @focusout="leftSeveral">
                  <legend>{{ columns[number].title }}</legend>
                  <label v-for="[id, title] in columns[number].options"
                    ><input type="checkbox" ref="field" :value="id" v-model="chosen" /> {{ title }}</label>
                </fieldset>
                <input v-else v-model="text" ref="field" :aria-label="columns[number].title" spellcheck="false"
                       @blur="put" />
              </template>
              <template v-else>{{ cell.shown }}</template>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  `,
  props: { name: String, columns: Array, rows: Array },
  data: () => ({ at: [0, 0], edited: null, text: "", chosen: [] }),
  watch: {
    name() {
      [this.at, this.edited] = [[0, 0], null];
    },
    rows(now, before) {
      // who is in a cell stays in it where rows come or go above, or what is typed would be put into another one
      const moved = ([row, column]) => {
        const to = now.findIndex(([id]) => id === before[row]?.[0]);
        return to < 0 ? null : [to, column];
      };
      this.edited = this.edited && moved(this.edited);
      this.at = moved(this.at) ?? [Math.max(0, Math.min(this.at[0], now.length - 1)), this.at[1]];
    },
  },
  methods: {
    options(column) {
      const known = this.columns[column];
      return known.kind === "flag" ? [["true", "yes"], ["false", "no"]] : known.options;
    },
    isEdited(row, column) {
      return this.edited !== null && this.edited[0] === row && this.edited[1] === column;
    },
    focused(row, column) {
      this.at = [row, column];
      this.$emit("look", { row: this.rows[row][0], column: this.columns[column].name });
    },
    edit(row, column, begun) {
      if (this.columns[column].kind === "long") {
        this.$emit("text", { row: this.rows[row][0], column: this.columns[column].name });
        return;
      }
      const cell = this.rows[row][2][column];
      this.text = begun ?? cell.text;
      this.chosen = cell.text.split(", ").filter(Boolean);
      this.edited = [row, column];
      this.$nextTick(() => {
        const field = [this.$refs.field].flat()[0];
        field?.focus();
        if (begun === undefined) field?.select?.();
      });
    },
    put() {
      if (this.edited === null) return;
      const [row, column] = this.edited;
      this.edited = null;
      const text = this.columns[column].kind === "several" ? this.chosen.join(", ") : this.text;
      if (text !== this.rows[row][2][column].text) {
        this.$emit("put", { row: this.rows[row][0], column: this.columns[column].name, text });
      }
    },
    leave() {
      this.edited = null;
    },
    leftSeveral(event) {
      if (!event.currentTarget.contains(event.relatedTarget)) this.put();
    },
    go(row, column) {
      const to = [Math.max(0, Math.min(row, this.rows.length - 1)), Math.max(0, Math.min(column, this.columns.length - 1))];
      this.$nextTick(() => this.$el.querySelector(`[data-at="${to[0]} ${to[1]}"]`)?.focus());
    },
    key(event) {
      const [row, column] = this.at;
      if (this.edited !== null) {
        if (event.key === "Escape") this.edited = null;
        else if (event.key === "Enter") this.put();
        else return;
        event.preventDefault();
        event.stopPropagation();
        this.go(row + (event.key === "Enter" ? 1 : 0), column);
        return;
      }
      const steps = {
        ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1], Home: [row, 0], End: [row, this.columns.length - 1],
        PageUp: [row - 10, column], PageDown: [row + 10, column],
      };
      if (steps[event.key]) this.go(...steps[event.key]);
      else if (event.key === "Enter" || event.key === "F2") this.edit(row, column);
      else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && this.columns[column].kind !== "long")
        this.edit(row, column, this.options(column).length ? undefined : "");
      else return;
      if (event.key.length > 1 || this.options(column).length) event.preventDefault();
    },
  },
};
