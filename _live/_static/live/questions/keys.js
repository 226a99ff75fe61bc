// A row of keys for what is hard to type, on a phone above all.
//
// A key is [look, text, name]; in the text, ‸ is where the cursor goes, or what was
// selected. Without a name, it is called by its text.

import { make } from "./dom.js";

const COMMON = [
  ["ᵀ", ".T", "transpose"],
  ["⁻¹", "inv(‸)", "inverse"],
  ["‖·‖²", "norm2(‸)", "squared norm"],
  ["Σ", "sum(‸ for n in N)", "sum over n"],
  ["( )", "(‸)", "brackets"],
  ["·", "@", "matrix product"],
  ["I", "I", "identity matrix"],
  ["=", " = ", "equals"],
];
const GRADIENT = ["∇", "grad(‸)", "gradient"];
const BOUND = ["≥", " >= ", "at least"];
const NEW_LINE = ["↵", "\n", "new line"];

export function derivationKeys(area, { symbols, moves }) {
  const optimises = moves.includes("set to zero");
  const signs = [...COMMON, ...(optimises ? [GRADIENT] : []), BOUND, NEW_LINE];
  const row = keyRow(area, [...symbols, ...signs]);
  for (const move of moves) {
    const said = () => sayBehindTheBar(area, move);
    row.append(key(`| ${move}`, `${move}, at the end of the line`, said));
  }
  return row;
}

export function keyRow(area, pairs) {
  const row = make("div", { class: "kl-keys", role: "group", "aria-label": "Symbols" });
  for (const [look, text, name = text] of pairs)
    row.append(key(look, name, () => insert(area, text)));
  return row;
}

function key(look, name, click) {
  // The text keeps the focus, so that a phone keeps its keyboard.
  const stay = (event) => event.preventDefault();
  const attributes = { type: "button", class: "kl-key", "aria-label": name, title: name };
  return make("button", { ...attributes, pointerdown: stay, click }, look);
}

function insert(area, text) {
  const { selectionStart: from, selectionEnd: to } = area;
  const chosen = area.value.slice(from, to);
  const at = text.indexOf("‸");
  area.focus();
  area.setRangeText(text.replace("‸", chosen), from, to, "end");
  if (at >= 0 && !chosen) area.setSelectionRange(from + at, from + at);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

// At the end of the line in which the cursor is, behind its bar.
function sayBehindTheBar(area, words) {
  const text = area.value;
  const from = text.lastIndexOf("\n", area.selectionStart - 1) + 1;
  const to = (text.indexOf("\n", from) + 1 || text.length + 1) - 1;
  const line = text.slice(from, to).trimEnd();
  const mark = !line.includes("|") ? " | " : line.endsWith("|") ? " " : "; ";
  area.focus();
  area.setRangeText(mark + words, from + line.length, to, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
