// Completion, hover, definition and quick fixes for the CodeMirror beside it: questions go to the language server, and
// come back as text, which is never read as HTML. Expressions have colours of their own.
import * as CM from "nicegui-codemirror";

const PATIENCE = 60000; // milliseconds for which an answer is waited for: the first one compiles the rules
const SETTLED = 4000; // and after which a connection that was lost is there again
const COPY = "polis-text-"; // texts that could not be sent any more, by the id of their file

const PARTS =
  /\b(?<word>and|or|not|if|else|for|in|is|none|true|false)\b|\b(?<number>\d+(?:d\d+)?)\b|\b(?<call>[a-z_]\w*)(?=\()/g;
const MARKS = Object.fromEntries(
  ["word", "number", "call"].map((kind) => [kind, CM.Decoration.mark({ class: `expression-${kind}` })]),
);
const VALUE = CM.Decoration.mark({ class: "yaml-value" }); // a dark theme has one colour for keys and values

function keysAround(node, state) {
  const keys = [];
  for (let pair = node.parent; pair; pair = pair.parent) {
    const key = pair.name === "Pair" ? pair.getChild("Key") : null;
    if (key) keys.push(state.sliceDoc(key.from, Math.min(key.to, key.from + 40)));
  }
  return keys;
}

function expressions(view, prose) {
  const found = [];
  for (const { from, to } of view.visibleRanges) {
    CM.syntaxTree(view.state).iterate({
      from,
      to,
      enter(at) {
        if (!/^(Literal|QuotedLiteral|BlockLiteralContent)$/.test(at.name) || at.node.parent?.name === "Key") return;
        const [begin, end] = [Math.max(at.from, from), Math.min(at.to, to)];
        if (at.name === "Literal" && begin < end) found.push(VALUE.range(begin, end));
        const keys = keysAround(at.node, view.state);
        if (!prose || prose.keys.includes(keys[0]) || prose.sections.includes(keys.at(-1))) return;
        for (const part of view.state.sliceDoc(begin, end).matchAll(PARTS)) {
          const kind = Object.keys(MARKS).find((each) => part.groups[each] !== undefined);
          found.push(MARKS[kind].range(begin + part.index, begin + part.index + part[0].length));
        }
      },
    });
  }
  return CM.Decoration.set(found, true);
}

function isProse(state, at) {
  // what stands between braces in a sentence is an expression
  const line = state.doc.lineAt(at);
  const prose = state.field(PROSE);
  if (!prose || /\{[^}]*$/.test(line.text.slice(0, at - line.from))) return false;
  const node = CM.syntaxTree(state).resolveInner(at, -1);
  if (!/Literal/.test(node.name) || node.parent?.name === "Key") return false;
  const keys = keysAround(node, state);
  return prose.keys.includes(keys[0]) || prose.sections.includes(keys.at(-1));
}

const TOLD = CM.StateEffect.define(); // what holds no expression: the language server knows it
const PROSE = CM.StateField.define({
  create: () => null,
  update: (before, change) => change.effects.filter((each) => each.is(TOLD)).at(-1)?.value ?? before,
});
const COLOURS = CM.ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = expressions(view, view.state.field(PROSE));
    }
    update({ docChanged, viewportChanged, startState, state, view }) {
      const isReadFurther = CM.syntaxTree(startState) !== CM.syntaxTree(state);
      if (docChanged || viewportChanged || isReadFurther || startState.field(PROSE) !== state.field(PROSE)) {
        this.decorations = expressions(view, state.field(PROSE));
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export default {
  template: `
    <div class="assist">
      <span hidden><span id="leave-text">Ctrl+M lets Tab leave the text, and once more lets it indent.</span></span>
      <div v-if="unsent" class="banner unsent" role="alert">
        <span v-if="isKept">The studio does not answer. What you type is kept in this browser for port {{ port }}, and is
          offered when this file is opened there again.</span>
        <span v-else>The studio does not answer, and this browser keeps nothing: save what you type as a file.</span>
        <button type="button" @click="download">Save it as a file</button>
      </div>
    </div>`,
  props: { editor: Number, file: String, over: String, name: String, prose: Object },
  data: () => ({ next: 1, waiting: {}, unsent: false, isKept: true, port: location.port, first: 0 }),
  async mounted() {
    let element = null;
    for (let tries = 0; tries < 200 && !element?.editorPromise; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 25)); // the page is put together meanwhile
      element = mounted_app ? getElement(this.editor) : null;
    }
    if (!element) return;
    const view = await element.editorPromise;
    view.contentDOM.setAttribute("aria-label", "Text of the file");
    view.contentDOM.setAttribute("aria-describedby", "leave-text");
    const self = this;
    const sources = [{ autocomplete: (context) => self.complete(context) }]; // always the same, or it is asked again
    view.dispatch({
      effects: CM.StateEffect.appendConfig.of([
        CM.EditorState.languageData.of(() => sources),
        PROSE,
        CM.Prec.highest(COLOURS), // within what YAML colours
        CM.EditorState.transactionExtender.of((change) => // so that undo takes back a fix, and not what was typed before
          change.docChanged && change.annotation(CM.Transaction.userEvent) === undefined
            ? { annotations: CM.isolateHistory.of("full") }
            : null,
        ),
        CM.EditorView.updateListener.of((change) => change.docChanged && !window.socket?.connected && self.typed()),
        CM.EditorView.updateListener.of((change) => self.forgotten(change)),
        CM.EditorView.contentAttributes.of({ tabindex: "0" }), // what is only read is reached by keys too
        CM.hoverTooltip((view, at) => self.hover(view, at), { hideOnChange: true }),
        CM.Prec.highest(
          CM.keymap.of([
            { key: "Mod-z", run: () => self.isFirst() },
            { key: "Mod-u", run: () => self.isFirst() },
          ]),
        ),
        CM.keymap.of([
          { key: "F12", run: (view) => self.tell("definition", view, view.state.selection.main.head) },
          { key: "Shift-F12", run: (view) => self.tell("references", view, view.state.selection.main.head) },
          { key: "F2", run: (view) => self.tell("rename", view, view.state.selection.main.head) },
          { key: "Alt-w", run: (view) => self.tell("said", view, view.state.selection.main.head) },
          { key: "Mod-.", run: (view) => self.tell("fixes", view, view.state.selection.main.head) },
        ]),
        CM.EditorView.domEventHandlers({
          beforeinput: (event) => event.inputType === "historyUndo" && self.isFirst() && !event.preventDefault(),
          click(event, view) {
            if (!(event.ctrlKey || event.metaKey)) return false;
            const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
            return at !== null && self.tell("definition", view, at);
          },
        }),
      ]),
    });
    this.view = view;
    this.takeOnlyWhatIsGiven(element);
    this.tellProse();
    window.socket?.on("disconnect", this.copy);
    window.socket?.on("connect", this.sent);
    document.addEventListener("keydown", this.pressed);
    this.look();
    const theme = () => element.setTheme(document.body.classList.contains("body--dark") ? "vscodeDark" : "vscodeLight");
    this.observer = new MutationObserver(theme);
    this.observer.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    theme();
  },
  beforeUnmount() {
    this.observer?.disconnect();
    document.removeEventListener("keydown", this.pressed);
    window.socket?.off("disconnect", this.copy);
    window.socket?.off("connect", this.sent);
  },
  watch: {
    prose() {
      this.tellProse();
    },
    file() {
      this.look();
      setTimeout(() => (this.first = this.view ? CM.undoDepth(this.view.state) : 0)); // when its text is there
    },
  },
  methods: {
    pressed(event) {
      if (event.defaultPrevented || event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault(); // outside of the text too it is the rules that are saved, and not the page
      this.tell("save", this.view, this.view.state.selection.main.head);
    },
    takeOnlyWhatIsGiven(editor) {
      // whatever is told of the editor comes with its text, in which what was typed meanwhile may still be missing
      const take = editor.setEditorValue;
      let last = editor.$el.dataset.given;
      editor.setEditorValue = (text) => {
        const given = editor.$el.dataset.given;
        if (given !== last) take(text);
        last = given;
      };
    },
    isFirst() {
      // what could be undone is that another file was opened: its text would stand in this one
      return CM.undoDepth(this.view.state) <= this.first;
    },
    forgotten(change) {
      // of more than a hundred changes that could be undone the oldest are forgotten: those of other files go first
      const [before, after] = [change.startState, change.state].map(CM.undoDepth);
      const isUndone = change.transactions.some((each) => each.isUserEvent("undo") || each.isUserEvent("select.undo"));
      if (after < before && !isUndone) this.first = Math.max(0, this.first - (before + 1 - after));
    },
    tellProse() {
      if (this.prose) this.view?.dispatch({ effects: TOLD.of(this.prose) });
    },
    typed() {
      this.copy();
      this.unsent = true;
    },
    download() {
      // also where no studio comes to this port any more, the text can be had
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([this.view.state.doc.toString()], { type: "text/plain" }));
      link.download = this.name.split("/").at(-1);
      link.click();
      URL.revokeObjectURL(link.href);
    },
    copy() {
      if (!this.file) return;
      const text = this.view.state.doc.toString();
      try {
        localStorage.setItem(COPY + this.file, JSON.stringify({ over: this.over, text }));
        this.isKept = true;
      } catch {
        this.isKept = false; // there is no room, or it is not allowed to
      }
    },
    sent() {
      this.unsent = false;
      // where the studio is still the same, what was typed meanwhile is sent now; otherwise the page is loaded anew
      setTimeout(() => window.socket.connected && this.forget(this.file), SETTLED);
    },
    look() {
      const kept = this.view && this.file && localStorage.getItem(COPY + this.file);
      if (kept) this.$emit("left", { file: this.file, ...JSON.parse(kept) });
    },
    forget(file) {
      localStorage.removeItem(COPY + file);
    },
    place(view, at) {
      const line = view.state.doc.lineAt(at);
      return { line: line.number - 1, character: at - line.from };
    },
    tell(what, view, at) {
      this.$emit("ask", { what, id: 0, ...this.place(view, at) });
      return true;
    },
    ask(what, view, at) {
      const id = this.next++;
      this.$emit("ask", { what, id, ...this.place(view, at) });
      return new Promise((resolve) => {
        this.waiting[id] = resolve;
        setTimeout(() => this.answer(id, null), PATIENCE);
      });
    },
    answer(id, found) {
      this.waiting[id]?.(found);
      delete this.waiting[id];
    },
    async complete(context) {
      const word = context.matchBefore(/[A-Za-z0-9_]*/);
      const before = context.state.sliceDoc(Math.max(0, word.from - 1), word.from);
      if (!context.explicit && word.from === word.to && before !== ".") return null;
      if (!context.explicit && isProse(context.state, context.pos)) return null; // Enter would put a name into a sentence
      const found = await this.ask("complete", { state: context.state }, context.pos);
      if (!found || !found.length || context.aborted) return null;
      const options = found.map(({ label, detail, info }) => ({ label, detail, info: info || undefined }));
      return { from: word.from, options, validFor: /^[A-Za-z0-9_]*$/ };
    },
    async hover(view, at) {
      const before = view.state.doc;
      const text = await this.ask("hover", view, at);
      // who has gone on meanwhile would not be rid of it, and to who types it would hide the text
      if (!text || view.state.doc !== before || !view.dom.matches(":hover")) return null;
      return {
        pos: at,
        above: true,
        create() {
          const dom = document.createElement("div");
          dom.className = "told";
          for (const part of text.split("\n\n")) {
            const line = dom.appendChild(document.createElement("p"));
            part.split("**").forEach((each, number) => {
              const piece = line.appendChild(document.createElement(number % 2 ? "strong" : "span"));
              piece.textContent = each.replaceAll("`", "").replace(/^\*|\*$/g, "");
            });
          }
          return { dom };
        },
      };
    },
    show(line, character) {
      if (!this.view || line > this.view.state.doc.lines) return;
      const at = Math.min(this.view.state.doc.line(line).from + character, this.view.state.doc.line(line).to);
      this.view.dispatch({
        selection: { anchor: at },
        effects: CM.EditorView.scrollIntoView(at, { y: "center" }),
      });
      this.view.focus();
    },
  },
};
