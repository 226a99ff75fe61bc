// Prove or refute: first the side, then the kernel or the counterexample.

import { freshId, make } from "../dom.js";
import { KernelField } from "./kernel.js";
import { RefutationField } from "./refutation.js";

const SIDES = { valid: "a kernel: prove it", invalid: "not a kernel: refute it" };
const VALID = ["valid", "kernel", "yes", "true", "prove", "proof"];

export class ClaimField {
  constructor(question, area, write) {
    Object.assign(this, { area, write });
    this.proof = make("textarea", {
      "aria-label": "Your kernel",
      spellcheck: "false",
      autocapitalize: "off",
      rows: 3,
      input: () => this.changed(),
    });
    this.kernel = new KernelField(question, this.proof, { before: "valid\n" });
    this.witness = new RefutationField(question, area, () => this.changed());
    const group = freshId("side");
    this.radios = Object.keys(SIDES).map((value) =>
      make("input", { type: "radio", name: group, value, change: () => this.changed() }),
    );
    const labels = this.radios.map((radio) => make("label", {}, radio, ` ${SIDES[radio.value]}`));
    const legend = make("legend", { class: "kl-unseen" }, "It is");
    const sides = make("fieldset", {}, legend, ...labels);
    this.element = make(
      "div",
      {},
      make("div", { class: "kl-value" }, sides),
      this.kernel.element,
      this.witness.element,
    );
    this.read();
  }

  get side() {
    return this.radios.find((radio) => radio.checked)?.value ?? "";
  }

  open() {
    this.kernel.element.hidden = this.side !== "valid";
    this.witness.element.hidden = this.side !== "invalid";
  }

  changed() {
    this.open();
    const body = this.side === "valid" ? this.proof.value : this.witness.text;
    this.kernel.read();
    this.write([this.side, body].filter(Boolean).join("\n"));
  }

  read() {
    const [first = "", ...rest] = this.area.value.split("\n").filter((row) => row.trim());
    const word = first.split(";")[0].trim().toLowerCase();
    const side = VALID.includes(word) ? "valid" : word ? "invalid" : "";
    for (const radio of this.radios) radio.checked = radio.value === side;
    if (side === "valid" && this.proof.value.trim() !== rest.join("\n").trim())
      this.proof.value = rest.join("\n");
    this.kernel.read();
    this.witness.read();
    this.open();
  }

  typed() {
    if (this.side === "valid") this.kernel.typed();
  }

  rest() {
    this.kernel.rest();
  }

  show() {}
}
