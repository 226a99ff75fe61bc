// Help with a question, on request: hints one at a time, a solution, another one like it.
//
// It comes from the question's own files, which the page does not load before.

import { button, fragment, load, make, ROOT } from "./dom.js";
import { Question } from "./question.js";
import * as store from "./store.js";

const SECTION = new URL("exercises/", ROOT); // where the links in hints lead from

export class Help {
  constructor(question) {
    const { hints, others } = question.root.dataset;
    this.question = question;
    this.element = make("div", { class: "kl-extras" });
    const derivation = question.kind === "derivation";
    this.solutionButton = this.button("Solution", () => this.solution(), false);
    this.hintButton = this.button(`Hint (${hints})`, () => this.hint(), Number(hints));
    this.buttons = [
      this.button("Symbols", () => this.given(), derivation),
      this.hintButton,
      this.solutionButton,
      this.button("Another one like it", () => this.another(), Number(others)),
    ];
  }

  button(text, does, offered) {
    const tried = () => does().catch((error) => this.question.say(error.message));
    return button(text, tried, { class: "kl-button kl-quiet kl-small", hidden: !offered });
  }

  offerSolution(yes) {
    this.solutionButton.hidden = !yes;
  }

  close() {
    this.element.replaceChildren();
  }

  file() {
    const asked = (this.loaded ??= load(`${this.question.id}.json`));
    asked.catch(() => (this.loaded = null)); // so that it can be tried again
    return asked;
  }

  async hint() {
    const { hints } = await this.file();
    const shown = this.element.querySelectorAll(".kl-hint").length;
    if (shown === hints.length)
      return this.question.say(`These were all ${hints.length} hints.`);
    this.add("kl-hint", `Hint ${shown + 1} of ${hints.length}`, fragment(hints[shown]));
    this.hintButton.textContent = `Hint (${hints.length - shown - 1})`;
    await store.update(this.question.id, { hints: shown + 1 });
  }

  async given() {
    if (this.element.querySelector(".kl-given")) return;
    const { given } = await this.file();
    this.add("kl-given", "Symbols, and how to write them", fragment(given));
  }

  async solution() {
    if (this.element.querySelector(".kl-solution")) return;
    const { text } = await load(`${this.question.id}.solution.json`);
    this.add("kl-solution", "One way to do it", make("pre", {}, text));
  }

  // A question with other numbers, for practice: its points are not counted.
  async another() {
    const { others } = await this.file();
    const count = this.element.querySelectorAll(".kl-another").length;
    if (count === others.length) return this.question.say("There are no more of them.");
    const twin = make("div", { class: "kl-question kl-twin" });
    const own = { question: `${this.question.id}/${count + 1}`, hints: 0, others: 0 };
    Object.assign(twin.dataset, this.question.root.dataset, own);
    delete twin.dataset.ready;
    twin.append(fragment(others[count]), make("div", { class: "kl-work" }));
    this.add("kl-another", "Another one, for practice", twin);
    new Question(twin);
  }

  add(name, title, content) {
    const head = make("p", { class: "kl-extra-title" }, title);
    const named = { class: name, tabindex: "-1", "aria-label": title };
    const box = make("section", named, head, content);
    for (const link of box.querySelectorAll("a[href]"))
      link.href = new URL(link.getAttribute("href"), SECTION);
    this.element.append(box);
    box.focus();
  }
}
