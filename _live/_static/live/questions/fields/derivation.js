// A derivation: a text, its lines numbered and marked, and a margin that answers.
//
// After each pause the finished lines are judged; the margin shows each of them typeset,
// with its verdict, what the judge used, and under it what is wrong with it. Behind the
// text lies the gutter, which holds the same lines unseen: so it breaks them where the text
// does, keeps each number beside its line, and makes the field as high as it must be.

import { fragment, make } from "../dom.js";
import { watch } from "../judge.js";
import { derivationKeys } from "../keys.js";

const PAUSE = 600; // milliseconds without a key until the text is judged
const MARKS = {
  ok: "✓",
  carried: "↪",
  wrong: "✗",
  unreadable: "✗",
  skipped: "·",
  unjudged: "–",
};

export class DerivationField {
  constructor({ id, setup }, area) {
    Object.assign(this, { id, setup, area, timer: 0, turn: 0 });
    area.placeholder = "one step per line:  relation, or  relation | reason";
    this.gutter = make("div", { class: "kl-gutter", "aria-hidden": "true" });
    this.margin = make("div", { class: "kl-margin", "aria-live": "off" });
    const pad = make("div", { class: "kl-pad kl-lines" }, this.gutter, area);
    this.desk = make("div", { class: "kl-desk" }, pad);
    this.element = make("div", { class: "kl-columns" }, this.desk, this.margin);
    area.addEventListener("focus", () => this.offerKeys(), { once: true });
    this.read();
  }

  offerKeys() {
    this.desk.append(derivationKeys(this.area, this.setup));
  }

  // The text has changed, by whatever hand.
  read() {
    const rows = this.area.value.split("\n");
    const lines = this.gutter.children;
    let number = 0;
    while (lines.length > rows.length) this.gutter.lastChild.remove();
    while (lines.length < rows.length) this.gutter.append(make("div", {}, make("span")));
    rows.forEach((row, at) => {
      const line = lines[at];
      line.firstChild.textContent = row;
      line.dataset.number = isStep(row) ? String(++number) : "";
      if (!isStep(row)) line.dataset.mark = line.dataset.status = "";
    });
    this.makeRoom();
  }

  // A line that does not fit beside the margin gets the whole width, with the margin below.
  makeRoom() {
    const heights = [...this.gutter.children].map((line) => line.offsetHeight);
    const broken = Math.max(...heights) > 1.5 * Math.min(...heights);
    if (broken || !this.area.value) this.element.classList.toggle("kl-below", broken);
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
