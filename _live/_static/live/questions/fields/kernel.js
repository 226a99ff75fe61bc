// A kernel: its definition as text; below it, typeset, and whether it is one.

import { fragment, make } from "../dom.js";
import { watch } from "../judge.js";
import { keyRow } from "../keys.js";

const PAUSE = 600;
const OPERATIONS = [
  ["+", " + ", "plus"],
  ["·", "*", "times"],
  ["( )", "(‸)", "brackets"],
  ["exp", "exp(‸)", "exponential", "Exp"],
  ["x²", "**2", "squared", "Power"],
  ["normalize", "normalize(‸)", "normalize", "Normalized"],
  ["↵", "\n", "new line"],
];

export class KernelField {
  // `before` is what the text of the answer has before the kernel: "valid", of a claim.
  constructor({ id, setup }, area, { before = "" } = {}) {
    Object.assign(this, { id, area, before, timer: 0, turn: 0 });
    area.placeholder = "k = …";
    this.shown = make("div", { class: "kl-preview", "aria-live": "polite" });
    const pad = make("div", { class: "kl-pad" }, area);
    this.element = make("div", {}, pad, this.shown);
    const leaves = (setup.names ?? []).map((name) => [name, called(name), name]);
    const offer = () => pad.after(keyRow(area, [...leaves, ...allowed(setup)]));
    area.addEventListener("focus", offer, { once: true });
    this.read();
  }

  read() {
    this.area.rows = Math.max(3, this.area.value.split("\n").length + 1);
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.preview(), PAUSE);
  }

  rest() {
    clearTimeout(this.timer);
  }

  async preview() {
    const turn = ++this.turn;
    const text = this.before + this.area.value;
    if (!this.area.value.trim()) return this.shown.replaceChildren();
    try {
      const found = await watch("page.preview", this.id, text);
      if (turn === this.turn) this.draw(found);
    } catch {
      // Check says what is the matter
    }
  }

  draw({ mathml, verdict, message }) {
    if (message)
      return this.shown.replaceChildren(make("span", { class: "kl-unread" }, plain(message)));
    const word = verdict.split(" ")[0];
    const badge = make("span", { class: "kl-verdict-word", "data-verdict": word }, verdict);
    this.shown.replaceChildren(fragment(mathml), badge);
  }

  show() {}
}

// The keys of a question: without operations that it forbids.
function allowed({ operations }) {
  const isAllowed = ([, , , rule]) => !rule || !operations || operations.includes(rule);
  return OPERATIONS.filter(isAllowed).map((key) => key.slice(0, 3));
}

// A class of kernels is called, a kernel that is given is named.
function called(name) {
  return /^[A-Z]/.test(name) ? `${name}(‸)` : name;
}

function plain(message) {
  return message.replaceAll("`", "");
}
