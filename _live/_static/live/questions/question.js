// A question in the page: a text control that holds the answer, fields in step with it,
// Check, the result, and help. The record of it is kept in store.js.

import { button, fragment, freshId, make, number, points } from "./dom.js";
import { BlocksField } from "./fields/blocks.js";
import { ClaimField } from "./fields/claim.js";
import { DerivationField } from "./fields/derivation.js";
import { KernelField } from "./fields/kernel.js";
import { ProgramField } from "./fields/program.js";
import { RefutationField } from "./fields/refutation.js";
import { ValuesField } from "./fields/values.js";
import { Help } from "./help.js";
import { ask, ranTooLong, startDisplay } from "./judge.js";
import * as store from "./store.js";

const FIELDS = {
  derivation: DerivationField,
  values: ValuesField,
  puzzle: BlocksField,
  code: ProgramField,
  "kernel proof": KernelField,
  refutation: RefutationField,
  "prove or refute": ClaimField,
};
const LABELS = {
  derivation: "Your derivation",
  values: "Your values as text",
  puzzle: "Your order as text",
  code: "Your program",
  "kernel proof": "Your kernel",
  refutation: "Your counterexample as text",
  "prove or refute": "Your answer as text",
};

export class Question {
  constructor(root) {
    const { question, kind, title, setup } = root.dataset;
    Object.assign(this, { root, id: question, kind, title, setup: JSON.parse(setup) });
    this.outOf = Number(root.dataset.points);
    this.record = {};
    this.build(root.querySelector(".kl-work"));
    this.restore();
    store.listen((ids, elsewhere) => {
      if (elsewhere && ids.includes(this.id)) this.restore();
    });
    document.addEventListener("kernellab-restored", () => this.restore());
  }

  // --- what the reader sees -----------------------------------------------------------

  build(work) {
    this.area = make("textarea", {
      "data-answer": true,
      id: freshId("answer"),
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      rows: 3,
      input: () => this.typed(),
    });
    work.addEventListener("keydown", (event) => this.pressed(event));
    this.field = new FIELDS[this.kind](this, this.area, (text) => this.write(text));
    this.label = make("label", { for: this.area.id, class: "kl-label" }, LABELS[this.kind]);
    const own = this.field.element.contains(this.area);
    work.replaceChildren(
      ...(own ? [this.label, this.field.element] : [this.field.element, this.folded()]),
      this.actions(),
      this.waiting(),
      this.resultBox(),
      this.help.element,
    );
  }

  folded() {
    return make(
      "details",
      { class: "kl-as-text" },
      make("summary", {}, "As text"),
      this.label,
      this.area,
    );
  }

  actions() {
    const shortcut = { title: "Ctrl+Enter", "aria-keyshortcuts": "Control+Enter" };
    this.checkButton = button("Check", () => this.check(), {
      class: "kl-button",
      "data-check": true,
      ...shortcut,
    });
    this.stopButton = button("Stop", () => this.running?.stop?.(), { hidden: true });
    this.meter = make("meter", { min: 0, max: this.outOf, "aria-label": "Points" });
    this.score = make("span", {}, points(this.outOf));
    this.help = new Help(this);
    this.bestButton = button("", () => this.retype(this.record.best.text), {
      class: "kl-button kl-quiet kl-small",
      hidden: true,
    });
    this.clearButton = button("Start again", () => this.clear(), {
      class: "kl-button kl-quiet kl-small",
      hidden: true,
    });
    return make(
      "div",
      { class: "kl-actions" },
      this.checkButton,
      this.stopButton,
      make("span", { class: "kl-score" }, this.meter, this.score),
      make("span", { class: "kl-others" }, ...this.help.buttons, this.bestButton, this.clearButton),
    );
  }

  waiting() {
    this.bar = make("progress", { max: 1, hidden: true, "aria-label": "Starting Python" });
    this.said = make("span", { role: "status" });
    return make("p", { class: "kl-state" }, this.bar, this.said);
  }

  resultBox() {
    this.result = make("div", { "data-result": true, class: "kl-result" });
    return this.result;
  }

  // --- the text -----------------------------------------------------------------------

  // The reader has changed the text control.
  typed() {
    this.field.read();
    this.changed();
  }

  retype(text) {
    this.area.value = text;
    this.typed();
  }

  // The reader has changed the fields.
  write(text) {
    this.area.value = text;
    this.changed();
  }

  changed() {
    this.field.typed();
    this.say("");
    this.record = { ...this.record, text: this.area.value };
    this.draw();
    store.update(this.id, { text: this.area.value });
  }

  pressed(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation(); // this one, not the one that it is a twin of
    this.check();
  }

  // From the record: at the start, and when another tab has changed it.
  async restore() {
    const before = this.area.value;
    const record = (await store.get(this.id)) ?? {};
    this.root.dataset.ready = "true";
    if (this.area.value !== before) return; // the reader was quicker
    this.record = record;
    const text = this.record.text ?? this.setup.starter ?? "";
    if (text !== this.area.value) {
      this.area.value = text;
      this.field.read();
    }
    const { found, checked } = this.record;
    this.field.show(found && checked === text ? found : null);
    this.showReport();
    this.draw();
  }

  async clear() {
    if (!confirm(`Remove all that you have written for “${this.title}”?`)) return;
    await store.remove([this.id]);
    this.help.close();
    this.say("");
    await this.restore();
    this.area.focus();
  }

  // --- judging ------------------------------------------------------------------------

  async check() {
    if (this.running) return;
    this.field.rest?.(); // what was going to be judged unasked is judged now
    const text = this.area.value;
    const shared = this.kind !== "code";
    this.display = startDisplay(this.bar, (words) => this.say(words), shared);
    this.running = ask(this, text, (progress) => this.display.draw(progress));
    this.busy(true);
    try {
      const found = await this.running.promise;
      await this.keep(text, found);
      this.say(sentence(found), true);
    } catch (error) {
      await this.failed(text, error);
    }
    this.busy(false);
    this.running = null;
  }

  busy(yes) {
    this.checkButton.disabled = yes;
    this.stopButton.hidden = !(yes && this.running.stop);
    this.result.setAttribute("aria-busy", String(yes));
    if (!yes) this.display.end();
  }

  async keep(text, found) {
    const { status, points: earned, out_of } = found;
    const before = this.record.best;
    const best = before?.points > earned ? before : { points: earned, text };
    const result = { status, points: earned, out_of, checked: text, found, best };
    this.record = { ...this.record, ...result, text: this.area.value };
    this.field.show(this.area.value === text ? found : null);
    this.showReport();
    this.draw();
    await store.update(this.id, { ...result, text: this.area.value });
  }

  // A program that did not end is wrong; that Python failed says nothing of the answer.
  async failed(text, error) {
    if (ranTooLong(error)) {
      const summary = `${this.title}: stopped, ${error.message}`;
      const found = { status: "wrong", points: 0, out_of: this.outOf, summary, html: "" };
      await this.keep(text, { ...found, lines: [] });
      this.say(summary);
      return;
    }
    this.say("");
    this.result.dataset.status = "error";
    this.result.dataset.points = "0";
    const shown = window.kernellabPython?.errorElement?.(error);
    this.result.replaceChildren(shown ?? make("p", {}, error.message));
  }

  showReport() {
    const { found, status, points: earned } = this.record;
    this.result.replaceChildren();
    delete this.result.dataset.status;
    delete this.result.dataset.points;
    if (!found) return;
    this.result.dataset.status = status;
    this.result.dataset.points = number(earned);
    const report = this.field.report?.(found) ?? fragment(found.html);
    this.result.append(report.childElementCount ? report : make("p", {}, found.summary));
  }

  // The points, and whether they are those of the text as it stands.
  draw() {
    const { status, points: earned = 0, checked, text } = this.record;
    const tried = Boolean(status) && status !== "unanswered";
    this.root.dataset.status = status ?? "";
    this.meter.value = earned;
    this.meter.hidden = !tried;
    const stale = tried && checked !== text;
    this.score.textContent = tried
      ? `${number(earned)} of ${points(this.outOf)}${stale ? ", before your last change" : ""}`
      : points(this.outOf);
    this.result.classList.toggle("kl-stale", stale);
    this.help.offerSolution(tried);
    this.offerBest(text);
    this.clearButton.hidden = !status && !text;
  }

  // Whoever tries another way can return to the one that earned more.
  offerBest(text) {
    const { best, points: earned } = this.record;
    this.bestButton.hidden = !(best?.points > earned && best.text !== text);
    this.bestButton.textContent = `Back to my answer with ${points(best?.points ?? 0)}`;
  }

  // What the report shows too is only for those who hear the page.
  say(text, heard = false) {
    this.said.textContent = text;
    this.said.classList.toggle("kl-unseen", heard);
  }
}

function sentence({ summary, first_bad: first, lines }) {
  const words = lines?.find((line) => line.number === first)?.message ?? "";
  const message = words.replaceAll("`", ""); // which mark formulas for the report
  return `${summary}. ${message}`.trim(); // which may begin with a symbol
}
