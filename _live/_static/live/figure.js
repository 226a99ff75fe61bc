// The live figures of a page: wires their controls to the scenes in their data files and,
// while Python runs in the page (python.js), to scenes that it computes for any values.
//
// The extension _ext/live_figures.py writes a .kl-live element for each figure, with the
// controls, the picture for readers without JavaScript, and the address of the data. The
// data are loaded when the figure comes near the screen. scene.js draws.
"use strict";

(() => {
  const SOON = "800px"; // how far from the screen a figure may be when its data are loaded
  const MOVE = 140; // milliseconds from one scene to the next
  const FINE = 0.1; // a step of a slider between two stored values, with Python
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  class LiveFigure {
    constructor(root) {
      this.root = root;
      this.name = root.dataset.figure;
      this.picture = root.querySelector(".kl-picture");
      this.points = [];
      this.text = ""; // the reader's own expression
      this.asked = 0; // how many scenes were asked for; the newest wins
      this.shown = 0;
      this.busy = false;
    }

    // --- starting ---------------------------------------------------------------------

    begin(bundle) {
      this.bundle = bundle;
      this.controls = bundle.controls.map((control) => this.connect(control));
      for (const part of this.root.querySelectorAll("[data-ready]")) part.hidden = false;
      this.picture.role = "img";
      this.picture.ariaLabel = this.picture.querySelector("img").alt;
      this.root.querySelector(".kl-table").addEventListener("toggle", () => this.tabulate());
      new ResizeObserver(() => this.scene && this.fit()).observe(this.picture);
      document.addEventListener("kernellab-python", () => this.listen());
      this.connectAxes();
      this.listen();
      this.change();
    }

    // Along some axes a slider's value is shown: pressing or dragging there moves it.
    connectAxes() {
      const sliders = this.controls.filter(({ along }) => along);
      if (!sliders.length) return;
      this.picture.dataset.axes = "";
      const follow = (event) => {
        const index = this.panels?.findIndex(({ svg }) => svg.contains(event.target));
        const place = event.buttons & 1 ? this.panels?.[index]?.place(event) : null;
        const moved = place ? sliders.filter(({ along }) => along[0] === index) : [];
        for (const slider of moved)
          slider.input.value = position(slider, place[slider.along[1] === "x" ? 0 : 1]);
        if (moved.length) this.change();
      };
      this.picture.addEventListener("pointerdown", follow);
      this.picture.addEventListener("pointermove", follow);
    }

    connect(control) {
      const input = this.root.querySelector(`[data-control="${control.name}"]`);
      if (control.kind === "slider") input.addEventListener("input", () => this.change());
      if (control.kind === "choice") input.addEventListener("change", () => this.choose(control));
      if (control.kind === "expression") this.connectExpression(input);
      if (control.kind === "clicks") this.connectPoints(input, control);
      return { ...control, input };
    }

    // A choice that an expression stands for is made: the expression has had its day.
    choose({ name }) {
      if (this.bundle.controls.some((other) => other.instead === name)) this.text = "";
      this.change();
    }

    connectExpression(form) {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.change((this.text = form.querySelector("input").value));
      });
    }

    connectPoints(form, control) {
      const field = (name) => form.querySelector(`[name="${name}"]`);
      const kind = () => field("kind")?.value ?? control.kinds[0];
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.add(Number(field("x").value), Number(field("y").value), kind());
      });
      field("undo").addEventListener("click", () => this.change(this.points.pop()));
      field("reset").addEventListener("click", () => this.reset());
      this.picture.dataset.clicks = "";
      this.picture.addEventListener("click", (event) => {
        const panel = this.panels?.[control.panel];
        if (!this.python || !panel?.svg.contains(event.target)) return;
        const place = panel.place(event);
        if (place) this.add(...place, kind());
      });
    }

    add(x, y, kind) {
      this.points.push([x, y, kind]);
      this.change();
    }

    reset() {
      this.points = [];
      this.text = "";
      for (const { kind, input, ...control } of this.controls) {
        if (kind === "slider") input.value = control.default;
        if (kind === "choice") input.selectedIndex = control.default;
      }
      this.change();
    }

    // --- Python -----------------------------------------------------------------------

    // Sliders become continuous, points and expressions possible, and the other way.
    listen() {
      const state = window.kernellabPython?.state;
      const ready = state === "ready";
      // Started anew after a crash, Python comes back: the reader's points stay.
      if (ready === this.python || (this.python && state === "loading")) return;
      this.python = ready;
      this.root.classList.toggle("kl-running", ready);
      for (const part of this.root.querySelectorAll("[data-python]")) part.hidden = !ready;
      for (const control of this.controls)
        if (control.kind === "slider" && control.gaps) control.input.step = ready ? FINE : 1;
      if (ready || !this.scene) return;
      this.points = [];
      this.text = "";
      this.change();
    }

    ask(ticket) {
      if (this.busy) {
        this.again = ticket;
        return;
      }
      this.busy = true;
      window.kernellabPython
        .call("figure", [this.name, this.values()])
        .then((scene) => this.answer(ticket, scene))
        .catch((error) => this.say(error.message))
        .finally(() => {
          const next = this.again;
          this.busy = false;
          this.again = 0;
          if (next) this.ask(next);
        });
    }

    answer(ticket, scene) {
      if (ticket <= this.shown) return;
      this.shown = ticket;
      if (scene.panels.length) this.show(scene);
      else this.fail(scene);
    }

    // --- values -----------------------------------------------------------------------

    values() {
      const found = {};
      for (const control of this.controls) {
        if (control.kind === "slider") found[control.name] = number(control);
        if (control.kind === "choice") found[control.name] = control.input.value;
        if (control.kind === "clicks") found[control.name] = this.points;
        if (control.kind === "expression") found[control.name] = this.text;
      }
      return found;
    }

    // The number of the stored scene for the present values, or null if there is none.
    stored() {
      if (this.points.length || this.text) return null;
      let index = 0;
      for (const name of this.bundle.grid) {
        const control = this.controls.find((one) => one.name === name);
        const slider = control.kind === "slider";
        const place = slider ? Number(control.input.value) : control.input.selectedIndex;
        if (place !== Math.round(place)) return null;
        index = index * control.values.length + place;
      }
      return index;
    }

    change() {
      for (const control of this.controls) if (control.kind === "slider") label(control);
      const index = this.stored();
      const ticket = ++this.asked;
      if (index === null) {
        this.ask(ticket);
        return;
      }
      this.shown = ticket;
      this.show(kernellabScene.expand(this.bundle, this.bundle.scenes[index]));
    }

    // --- showing ----------------------------------------------------------------------

    show(scene) {
      const from = this.drawn;
      this.scene = scene;
      this.say(scene.message);
      this.describe();
      this.tabulate();
      for (const { name, input } of this.controls)
        if ("disabled" in input) input.disabled = scene.idle.includes(name);
      if (from?.panels.length && !still.matches) this.move(from, scene, performance.now());
      else this.draw(scene);
    }

    move(from, to, start) {
      const step = (now) => {
        if (this.scene !== to) return; // a newer one is on its way
        const share = Math.min(1, Math.max(0, (now - start) / MOVE));
        this.draw(share < 1 ? kernellabScene.blend(from, to, share) : to);
        if (share < 1) requestAnimationFrame(step);
      };
      step(performance.now());
    }

    draw(scene) {
      this.drawn = scene;
      if (scene.panels.length) this.picture.style.minHeight = "";
      this.width = this.picture.clientWidth;
      this.panels = kernellabScene.draw(this.picture, scene, this.bundle);
    }

    fit() {
      if (this.picture.clientWidth !== this.width) this.draw(this.scene);
    }

    // Nothing that was found for other values stays; the picture keeps its place.
    fail(scene) {
      this.scene = { ...scene, lines: [], idle: [] };
      this.drawn = null;
      this.picture.style.minHeight = `${this.picture.offsetHeight}px`;
      this.draw(this.scene);
      this.describe();
      this.tabulate();
      this.say(scene.message);
    }

    say(message) {
      this.root.querySelector(".kl-message").replaceChildren(...marked(message));
    }

    describe() {
      const notes = this.scene.notes.map(([name, text]) =>
        make("div", make("dt", name), make("dd", text)),
      );
      this.root.querySelector(".kl-notes").replaceChildren(...notes);
      const lines = (this.scene.lines ?? []).map((line) => make("li", ...marked(line)));
      this.root.querySelector(".kl-lines").replaceChildren(...lines);
    }

    // Only while it is open: a table that nobody sees costs nothing.
    tabulate() {
      const details = this.root.querySelector(".kl-table");
      if (!details.open) return;
      const columns = this.scene.table;
      const rows = (columns[0]?.cells ?? []).map((_, i) =>
        make("tr", ...columns.map((column) => make("td", column.cells[i]))),
      );
      const heads = columns.map(({ name }) => {
        const cell = make("th", name);
        cell.scope = "col";
        return cell;
      });
      const table = details.querySelector("table");
      table.tHead.replaceChildren(make("tr", ...heads));
      table.tBodies[0].replaceChildren(...rows);
    }
  }

  // What stands between backticks is code.
  function marked(text) {
    return text.split("`").map((part, i) => (i % 2 ? make("code", part) : part));
  }

  function make(name, ...children) {
    const element = document.createElement(name);
    element.append(...children);
    return element;
  }

  // A slider's value: one of the stored ones, or between two of them.
  function number({ input, values, log, whole }) {
    const place = Number(input.value);
    const before = Math.floor(place);
    const [low, high] = [values[before], values[Math.min(before + 1, values.length - 1)]];
    const share = place - before;
    const value = log ? low * (high / low) ** share : low + share * (high - low);
    return whole ? Math.round(value) : value;
  }

  // The other way: where a slider stands for a value; the browser rounds to its steps.
  function position({ values, log }, value) {
    const after = values.findIndex((one) => one >= value);
    if (after < 1) return after ? values.length - 1 : 0;
    const [low, high] = [values[after - 1], values[after]];
    const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return after - 1 + share;
  }

  function label(control) {
    const { input, texts } = control;
    const stored = texts[Number(input.value)];
    const text = stored ?? String(Number(number(control).toPrecision(3))).replace("-", "−");
    input.setAttribute("aria-valuetext", text);
    input.parentElement.querySelector("output").textContent = text;
  }

  function load(root) {
    const figure = new LiveFigure(root);
    const begin = () => figure.begin(window.kernellabScenes[figure.name]);
    if (window.kernellabScenes?.[figure.name]) return begin();
    const script = document.createElement("script");
    script.src = root.dataset.source;
    script.onload = begin;
    script.onerror = () => figure.say("The data of this figure could not be loaded.");
    return document.head.append(script);
  }

  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        load(target);
      }
    },
    { rootMargin: SOON },
  );
  for (const root of document.querySelectorAll(".kl-live")) near.observe(root);
})();
