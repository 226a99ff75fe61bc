// A program: a text with Python's words in colour, and Enter that keeps the indent.

import { make } from "../dom.js";

const WORDS =
  "and as assert break class continue def del elif else except finally for from global if " +
  "import in is lambda None nonlocal not or pass raise return True False try while with yield";
const TOKENS = new RegExp(
  [
    /(?<comment>#[^\n]*)/,
    /(?<string>[rbf]*(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"[^"\n]*"?|'[^'\n]*'?))/,
    /(?<number>\b\d[\d_.]*(?:e[-+]?\d+)?j?\b)/,
    new RegExp(`(?<keyword>\\b(?:${WORDS.replaceAll(" ", "|")})\\b)`),
    /(?<name>(?<=\b(?:def|class)\s+)\w+)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "gi",
);

export class ProgramField {
  constructor(question, area) {
    this.area = area;
    area.setAttribute("wrap", "off");
    this.colours = make("pre", { class: "kl-colours", "aria-hidden": "true" });
    const editor = make("div", { class: "kl-editor" }, this.colours, area);
    this.element = make("div", { class: "kl-pad" }, editor);
    area.addEventListener("keydown", (event) => this.indent(event));
    area.addEventListener("scroll", () => this.follow());
    this.read();
  }

  read() {
    const { value } = this.area;
    this.area.rows = Math.min(Math.max(value.split("\n").length + 1, 8), 30);
    this.colours.replaceChildren(...coloured(value), "\n");
    this.follow();
  }

  follow() {
    this.colours.scrollLeft = this.area.scrollLeft;
    this.colours.scrollTop = this.area.scrollTop;
  }

  // As deep as the line before, one step deeper after a colon. Tab leaves the text.
  indent(event) {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    const { area } = this;
    const line = area.value.slice(0, area.selectionStart).split("\n").pop();
    const deeper = line.trimEnd().endsWith(":") ? "    " : "";
    const text = `\n${/^\s*/.exec(line)[0]}${deeper}`;
    // Undone with Ctrl+Z like anything that is typed.
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  typed() {}

  show() {}
}

function* coloured(text) {
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [kind] = Object.entries(match.groups).find(([, value]) => value !== undefined);
    yield text.slice(at, match.index);
    yield make("span", { class: `kl-${kind}` }, match[0]);
    at = match.index + match[0].length;
  }
  yield text.slice(at);
}
