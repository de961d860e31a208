// What everybody has, as tables, what holds for all, and what has happened last.
export default {
  template: `
    <div class="standing">
      <div class="sheets">
        <table v-for="sheet in sheets">
          <caption>{{ sheet.title }}</caption>
          <thead>
            <tr>
              <template v-for="(title, number) in sheet.head">
                <th v-if="title || number" scope="col">{{ title }}</th>
                <td v-else></td>
              </template>
            </tr>
          </thead>
          <tbody>
            <tr v-for="[title, ...cells] in sheet.rows">
              <th scope="row">{{ title }}</th>
              <td v-for="cell in cells">{{ cell }}</td>
            </tr>
          </tbody>
        </table>
        <p v-for="[label, text] in common">{{ label }}: {{ text }}</p>
      </div>
      <ol class="news" aria-label="What has happened" tabindex="0">
        <li v-for="line in news">{{ line }}</li>
      </ol>
    </div>
  `,
  props: { sheets: Array, common: Array, news: Array },
};
