// Values: a field for each name, of the kind that is asked for.

import { freshId, make } from "../dom.js";
import { assigned } from "../statements.js";

const EXAMPLES = {
  number: "3, -1/2, sqrt(2)",
  vector: "[1, -1/2]",
  matrix: "[[1, 0], [0, 1]]",
  set: "{0, 1/2}",
  any: "a number, or [1, 2]",
};
const MARKS = { true: "✓", false: "✗", null: "·" };

export class ValuesField {
  constructor({ setup }, area, write) {
    Object.assign(this, { area, write });
    this.inputs = new Map();
    this.element = make("div", { class: "kl-values" });
    for (const field of setup.fields) this.element.append(this.row(field));
    this.read();
  }

  row(field) {
    const mark = make("span", { class: "kl-value-mark", "aria-hidden": "true" });
    const control = field.type === "choice" ? this.choice(field) : this.input(field);
    this.inputs.set(field.name, { ...control, mark });
    return make("div", { class: "kl-value" }, ...control.parts, mark);
  }

  input({ name, type, choices }) {
    const id = freshId("value");
    const words = choices.length ? `${EXAMPLES[type]}, ${choices.join(", ")}` : EXAMPLES[type];
    const input = make("input", {
      id,
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: words,
      input: () => this.changed(),
    });
    const label = make("label", { for: id }, make("code", {}, name), " =");
    return {
      parts: [label, input],
      get: () => input.value.trim(),
      set: (text) => {
        if (input.value.trim() !== text) input.value = text;
      },
    };
  }

  choice({ name, choices }) {
    const group = freshId("choice");
    const radios = choices.map((word) =>
      make("input", { type: "radio", name: group, value: word, change: () => this.changed() }),
    );
    const labels = radios.map((radio) => make("label", {}, radio, ` ${radio.value}`));
    const legend = make("legend", {}, make("code", {}, name), " =");
    return {
      parts: [make("fieldset", {}, legend, ...labels)],
      get: () => radios.find((radio) => radio.checked)?.value ?? "",
      set: (text) => {
        for (const radio of radios) radio.checked = radio.value === text.toLowerCase();
      },
    };
  }

  changed() {
    const lines = [...this.inputs].map(([name, { get }]) => [name, get()]);
    const given = lines.filter(([, value]) => value);
    this.write(given.map(([name, value]) => `${name} = ${value}`).join("\n"));
  }

  read() {
    const found = assigned(this.area.value, [...this.inputs.keys()]);
    for (const [name, { set }] of this.inputs) set(found.get(name) ?? "");
  }

  typed() {
    this.show(null);
  }

  show(found) {
    for (const [name, { mark }] of this.inputs) {
      const known = found?.marks && name in found.marks;
      mark.textContent = known ? MARKS[found.marks[name]] : "";
      mark.dataset.ok = known ? found.marks[name] : "";
    }
  }
}
