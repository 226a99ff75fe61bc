// Blocks to choose and to order: by dragging, by buttons, or by the keyboard alone.
//
// The answer is the letters of the blocks in the upper list, one per line. Both lists hold
// the blocks that the page came with, so that their formulas stay typeset.

import { button, make } from "../dom.js";

const EDGE = 70; // pixels from the border of the window within which dragging scrolls

export class BlocksField {
  constructor({ root }, area, write) {
    Object.assign(this, { area, write });
    this.blocks = new Map();
    const box = root.querySelector(".kl-blocks");
    for (const item of box.querySelectorAll("li")) this.equip(item);
    this.proof = this.list("Your proof, in its order", "kl-proof");
    this.pool = this.list("Blocks to choose from", "kl-pool");
    this.heard = make("p", { class: "kl-unseen", role: "status" });
    this.element = make("div", {}, ...this.proof.parts, ...this.pool.parts, this.heard);
    box.remove();
    this.read();
  }

  list(title, name) {
    const ol = make("ol", { class: `kl-blocks ${name}`, "aria-label": title });
    const empty = name === "kl-proof" ? "Drag blocks here, or press Add." : "None are left.";
    ol.dataset.empty = empty;
    return { ol, parts: [make("p", { class: "kl-label" }, title), ol] };
  }

  // Give a block its handle and its buttons.
  equip(item) {
    const letter = item.querySelector("strong").textContent.trim()[0];
    const text = make("div", { class: "kl-block-text" }, ...item.childNodes);
    const handle = button("⠿", (event) => this.toggle(letter, event), {
      class: "kl-handle",
      "aria-label": `Block ${letter}: arrow keys move it, Enter adds or removes it`,
      pointerdown: (event) => this.drag(event, letter),
      keydown: (event) => this.moved(event, letter),
    });
    const small = { class: "kl-button kl-quiet kl-small" };
    const up = button("↑", () => this.shift(letter, -1), {
      ...small,
      "aria-label": `Move block ${letter} up`,
    });
    const down = button("↓", () => this.shift(letter, 1), {
      ...small,
      "aria-label": `Move block ${letter} down`,
    });
    const toggle = button("", (event) => this.toggle(letter, event), small);
    const buttons = make("div", { class: "kl-block-buttons" }, up, down, toggle);
    item.className = "kl-block";
    item.dataset.letter = letter;
    item.replaceChildren(handle, text, buttons);
    this.blocks.set(letter, { item, toggle, handle, arrows: [up, down] });
  }

  // --- moving -------------------------------------------------------------------------

  get order() {
    return [...this.proof.ol.children].map((item) => item.dataset.letter);
  }

  // Who taps goes on where they are; who uses the keyboard goes with the block.
  toggle(letter, { detail: taps }) {
    const order = this.order;
    this.commit(order.includes(letter) ? order.filter((l) => l !== letter) : [...order, letter]);
    this.blocks.get(letter).handle.focus({ preventScroll: taps > 0 });
    this.announce(letter);
  }

  shift(letter, by) {
    const order = this.order;
    const from = order.indexOf(letter);
    const to = from + by;
    if (from < 0 || to < 0 || to >= order.length) return;
    order.splice(to, 0, ...order.splice(from, 1));
    const focused = document.activeElement;
    this.commit(order);
    focused.focus(); // a block that moves loses it
    this.announce(letter);
  }

  moved(event, letter) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.shift(letter, by);
  }

  // The document hears the pointer, because a block that is moved loses its hold of it.
  drag(event, letter) {
    if (event.button) return;
    const { item } = this.blocks.get(letter);
    let dragged = false;
    const move = ({ clientY }) => {
      dragged = true;
      item.classList.add("kl-dragged");
      if (clientY < EDGE) scrollBy(0, -12);
      if (clientY > innerHeight - EDGE) scrollBy(0, 12);
      this.put(item, clientY);
    };
    const end = () => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      item.classList.remove("kl-dragged");
      if (dragged) this.dropped();
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }

  // The click that ends the dragging is not meant.
  dropped() {
    const ignore = (click) => click.stopPropagation();
    document.addEventListener("click", ignore, { capture: true });
    setTimeout(() => document.removeEventListener("click", ignore, { capture: true }));
    this.commit(this.order);
  }

  // Where the pointer is, among the blocks of the list below it.
  put(item, y) {
    const list = [this.proof.ol, this.pool.ol].find((ol) => {
      const box = ol.getBoundingClientRect();
      return y >= box.top - 20 && y <= box.bottom + 20;
    });
    if (!list) return;
    const next = [...list.children].find((other) => {
      const box = other.getBoundingClientRect();
      return other !== item && y < box.top + box.height / 2;
    });
    if (item.nextElementSibling !== (next ?? null) || item.parentElement !== list)
      list.insertBefore(item, next ?? null);
  }

  // --- the text -----------------------------------------------------------------------

  commit(order) {
    this.arrange(order);
    this.write(order.join("\n"));
  }

  arrange(order) {
    const rest = [...this.blocks.keys()].filter((letter) => !order.includes(letter)).sort();
    const items = (letters) => letters.map((letter) => this.blocks.get(letter).item);
    this.proof.ol.replaceChildren(...items(order));
    this.pool.ol.replaceChildren(...items(rest));
    for (const [letter, { toggle, arrows }] of this.blocks) {
      const inside = order.includes(letter);
      toggle.textContent = inside ? "Remove" : "Add";
      toggle.setAttribute("aria-label", `${inside ? "Remove" : "Add"} block ${letter}`);
      for (const arrow of arrows) arrow.hidden = !inside;
    }
  }

  // The letters of a text, each once: “C, A”, “CA”, or one per line.
  read() {
    const plain = this.area.value.replace(/#.*/g, "");
    const words = plain.match(/[\p{L}\p{N}-]+/gu) ?? [];
    const named = words.filter((word) => [...word].every((c) => this.known(c)));
    const letters = named.flatMap((word) => [...word].map((c) => c.toUpperCase()));
    this.arrange([...new Set(letters)]);
  }

  known(c) {
    return this.blocks.has(c.toUpperCase());
  }

  announce(letter) {
    const at = this.order.indexOf(letter) + 1;
    const place = at ? `number ${at} of ${this.order.length}` : "not in your proof";
    this.heard.textContent = `Block ${letter} is ${place}.`;
  }

  typed() {}

  show() {}
}
