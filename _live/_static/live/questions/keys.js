// A row of keys for what is hard to type, on a phone above all.
//
// A key is [look, text, name]; in the text, ‸ is where the cursor goes, or what was
// selected. Instead of a text there may be a function of the area. Without a name, it
// is called by its text.

import { fragment, make } from "./dom.js";

const COMMON = [
  ["ᵀ", "ᵀ", "transpose"],
  ["⁻¹", invert, "inverse"],
  ["‖·‖²", "norm2(‸)", "squared norm"],
  ["Σ", "sum(‸ for n in N)", "sum over n"],
  ["( )", "(‸)", "brackets"],
  ["→", stepOut, "step out of the brackets"],
  ["·", "@", "matrix product"],
  ["I", "I", "identity matrix"],
  ["=", " = ", "equals"],
];
const GRADIENT = ["∇", "grad(‸)", "gradient"];
const BOUND = ["≥", " >= ", "at least"];
const NEW_LINE = ["↵", newLine, "new line"];

export function derivationKeys(area, { symbols, moves }) {
  const optimises = moves.includes("set to zero");
  const signs = [...COMMON, ...(optimises ? [GRADIENT] : []), BOUND, NEW_LINE];
  const letters = symbols.map(([html, text]) => [fragment(html), text]);
  const row = keyRow(area, [...letters, ...signs]);
  for (const move of moves) {
    const said = () => sayBehindTheBar(area, move);
    row.append(key(`| ${move}`, `${move}, at the end of the line`, said));
  }
  return row;
}

export function keyRow(area, pairs) {
  const row = make("div", { class: "kl-keys", role: "group", "aria-label": "Symbols" });
  for (const [look, text, name = text] of pairs)
    row.append(key(look, name, () => press(area, text)));
  return row;
}

function key(look, name, click) {
  // The text keeps the focus, so that a phone keeps its keyboard.
  const stay = (event) => event.preventDefault();
  const attributes = { type: "button", class: "kl-key", "aria-label": name, title: name };
  return make("button", { ...attributes, pointerdown: stay, click }, look);
}

function press(area, text) {
  if (typeof text === "function") text(area);
  else insert(area, text);
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

// Behind a name or a bracket, the inverse is an exponent.
function invert(area) {
  const { selectionStart: from, selectionEnd: to, value } = area;
  const behind = from === to && /[\w)\]ᵀ]$/.test(value.slice(0, from));
  insert(area, behind ? "^-1" : "inv(‸)");
}

// Behind the bracket that closes next, or else to the end of the line.
function stepOut(area) {
  const end = endOfLine(area);
  let at = area.selectionEnd;
  for (let depth = 0; at < end && depth >= 0; at++)
    depth += "([".includes(area.value[at]) - ")]".includes(area.value[at]);
  area.focus();
  area.setSelectionRange(at, at);
}

// Behind the line in which the cursor is, so that no line is split.
function newLine(area) {
  const end = endOfLine(area);
  area.setSelectionRange(end, end);
  insert(area, "\n");
}

function endOfLine({ value, selectionEnd }) {
  const at = value.indexOf("\n", selectionEnd);
  return at < 0 ? value.length : at;
}

// At the end of the line in which the cursor is, behind its bar.
function sayBehindTheBar(area, words) {
  const text = area.value;
  const from = text.lastIndexOf("\n", area.selectionStart - 1) + 1;
  const to = endOfLine(area);
  const line = text.slice(from, to).trimEnd();
  const mark = !line.includes("|") ? " | " : line.endsWith("|") ? " " : "; ";
  area.focus();
  area.setRangeText(mark + words, from + line.length, to, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
