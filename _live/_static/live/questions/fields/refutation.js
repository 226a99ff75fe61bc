// A counterexample: points, a vector, and what else the question asks for.

import { freshId, make } from "../dom.js";
import { assigned } from "../statements.js";

const EXAMPLES = { points: "[[0], [2]]", c: "[1, -1]" };

export class RefutationField {
  constructor({ setup }, area, write) {
    Object.assign(this, { area, write });
    const examples = setup.words?.length ? { ...EXAMPLES, points: `[${setup.words.slice(0, 2)}]` } : EXAMPLES;
    this.inputs = new Map();
    this.element = make("div", { class: "kl-values" });
    for (const name of ["points", "c", ...setup.extra]) {
      const id = freshId("value");
      const input = make("input", {
        id,
        type: "text",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        placeholder: examples[name] ?? "",
        input: () => this.changed(),
      });
      this.inputs.set(name, input);
      const label = make("label", { for: id }, make("code", {}, name), " =");
      this.element.append(make("div", { class: "kl-value" }, label, input));
    }
    this.read();
  }

  get text() {
    const given = [...this.inputs].filter(([, input]) => input.value.trim());
    return given.map(([name, input]) => `${name} = ${input.value.trim()}`).join("\n");
  }

  changed() {
    this.write(this.text);
  }

  read() {
    const found = assigned(this.area.value, [...this.inputs.keys()]);
    for (const [name, input] of this.inputs) {
      const text = found.get(name) ?? "";
      if (input.value.trim() !== text) input.value = text;
    }
  }

  typed() {}

  show() {}
}
