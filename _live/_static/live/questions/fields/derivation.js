// A derivation: a text, its lines numbered and marked, and a margin that answers.
//
// After each pause the finished lines are judged; the margin shows each of them typeset,
// with its verdict, what the judge used, and under it what is wrong with it.

import { fragment, make } from "../dom.js";
import { watch } from "../judge.js";
import { derivationKeys } from "../keys.js";

const PAUSE = 600; // milliseconds without a key until the text is judged
const MARKS = { ok: "✓", carried: "↪", wrong: "✗", unreadable: "✗", skipped: "·" };
const FEWEST_ROWS = 6;
const MOST_ROWS = 24;

export class DerivationField {
  constructor({ id, setup }, area) {
    Object.assign(this, { id, setup, area, timer: 0, turn: 0 });
    area.setAttribute("wrap", "off");
    area.placeholder = "one step per line:  relation, or  relation | reason";
    this.gutter = make("div", { class: "kl-gutter", "aria-hidden": "true" });
    this.margin = make("div", { class: "kl-margin", "aria-live": "off" });
    const pad = make("div", { class: "kl-pad" }, this.gutter, area);
    this.desk = make("div", { class: "kl-desk" }, pad);
    this.element = make("div", { class: "kl-columns" }, this.desk, this.margin);
    area.addEventListener("scroll", () => (this.gutter.scrollTop = area.scrollTop));
    area.addEventListener("focus", () => this.offerKeys(), { once: true });
    this.read();
  }

  offerKeys() {
    this.desk.append(derivationKeys(this.area, this.setup));
  }

  // The text has changed, by whatever hand.
  read() {
    const rows = this.area.value.split("\n");
    this.area.rows = Math.min(Math.max(rows.length + 1, FEWEST_ROWS), MOST_ROWS);
    let number = 0;
    const numbers = rows.map((row) => (isStep(row) ? String(++number) : ""));
    while (this.gutter.children.length > numbers.length) this.gutter.lastChild.remove();
    while (this.gutter.children.length < numbers.length) this.gutter.append(make("div"));
    numbers.forEach((text, row) => {
      const line = this.gutter.children[row];
      line.dataset.number = text;
      if (!text) line.dataset.mark = line.dataset.status = "";
    });
    this.gutter.scrollTop = this.area.scrollTop;
  }

  // The reader writes: judge what is finished as soon as there is a pause.
  typed() {
    this.gutter.classList.add("kl-stale");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.judge(), PAUSE);
  }

  rest() {
    clearTimeout(this.timer);
  }

  async judge() {
    const text = this.finished();
    if (!text.split("\n").some(isStep)) return this.show(null);
    const turn = ++this.turn;
    try {
      const found = await watch("page.judge", this.id, text);
      if (turn === this.turn) this.show(found);
    } catch {
      // Check says what is the matter
    }
  }

  // A line that is being written, and has no reason yet, is not judged before its time.
  finished() {
    const { area } = this;
    const rows = area.value.split("\n");
    const at = area.value.slice(0, area.selectionStart).split("\n").length - 1;
    if (document.activeElement === area && !rows[at].includes("|")) rows[at] = "";
    return rows.join("\n");
  }

  show(found) {
    ++this.turn; // what is still being judged comes too late
    clearTimeout(this.timer);
    this.gutter.classList.remove("kl-stale");
    const lines = [...this.gutter.children];
    for (const line of lines) line.dataset.status = line.dataset.mark = "";
    for (const { row, status, number } of found?.lines ?? []) {
      if (!lines[row]) continue;
      lines[row].dataset.status = status;
      lines[row].dataset.mark = MARKS[status] ?? "";
      lines[row].classList.toggle("kl-first", number === found.first_bad);
    }
    this.margin.replaceChildren(...(found ? marginOf(found.html) : []));
  }

  // The verdict and the milestones; the lines stand in the margin.
  report(found) {
    const report = fragment(found.html);
    report.querySelector("table")?.remove();
    report.querySelector("style")?.remove();
    return report;
  }
}

function marginOf(html) {
  const report = fragment(html);
  const table = report.querySelector("table");
  const style = report.querySelector("style");
  if (!table) return [];
  return [make("section", { class: "kl-report" }, style ?? "", table)];
}

function isStep(row) {
  const text = row.trim();
  return text !== "" && !text.startsWith("#");
}
