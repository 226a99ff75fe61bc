// The button that starts Python, and how errors look.
//
// Wherever the page has an element with data-kernellab-python, this script draws a button
// there, and the state of Python (python.js) beside it.
"use strict";

(() => {
  const python = window.kernellabPython;
  const manifest = window.kernellabRuntime;
  const places = [];

  Object.assign(python, { mount, errorElement });
  document.addEventListener("kernellab-progress", () => places.forEach(draw));
  document.addEventListener("kernellab-python", ({ detail }) => {
    places.forEach(draw);
    if (detail.changed && places.length) places[0].status.textContent = announcement();
  });

  function mount(element) {
    if (places.some((place) => place.element === element)) return;
    if (!python.available) {
      // Commands are set as code.
      const parts = python.reason.split(/(make [a-z]+)/);
      const text = parts.map((part, i) => (i % 2 ? make("code", {}, part) : part));
      element.replaceChildren(make("p", { class: "kl-python-text" }, ...text));
      return;
    }
    const button = make("button", { type: "button", class: "kl-button" });
    const bar = make("progress", { max: 1, "aria-label": "Loading Python" });
    const text = make("span", { class: "kl-python-text" });
    const more = make("details", {}, make("summary", {}, "Details"), make("pre", {}));
    const status = make("span", { class: "kl-unseen", role: "status" });
    const place = { element, button, bar, text, more, status };
    button.addEventListener("click", press);
    element.replaceChildren(button, bar, text, status, more);
    places.push(place);
    draw(place);
  }

  function press() {
    if (python.state === "idle" || python.state === "failed") python.start().catch(() => {});
    else python.stop();
  }

  function draw({ element, button, bar, text, more }) {
    const { state, details } = python;
    element.dataset.state = state;
    button.textContent = {
      idle: "Run Python here",
      loading: "Cancel",
      ready: "Stop Python",
      failed: "Try again",
    }[state];
    bar.hidden = state !== "loading";
    bar.value = share();
    text.textContent = words();
    more.hidden = state !== "failed" || !details;
    more.querySelector("pre").textContent = details;
  }

  // Most of the wait is the download; one step comes after it.
  function share() {
    const { loaded = 0, total = 1, stage } = python.progress;
    return (0.8 * loaded) / total + (stage === "kernellab" ? 0.1 : 0);
  }

  function words() {
    if (python.state === "idle") return `loads ${megabytes(manifest.bytes)} MB from this site`;
    if (python.state === "failed") return `Python could not be started: ${python.reason}.`;
    if (python.state === "ready") return ready();
    return amount() || "starting Python …";
  }

  function amount() {
    const { loaded, total } = python.progress;
    return loaded < total ? `${megabytes(loaded)} of ${megabytes(total)} MB` : "";
  }

  function ready() {
    const { versions } = python;
    if (amount()) return `loading SciPy: ${amount()}`;
    const exact = `kernellab ${versions.kernellab} (${manifest.kernellab.hash})`;
    return `Python ${versions.python}, NumPy ${versions.numpy}, SciPy ${versions.scipy}, ${exact}`;
  }

  function megabytes(bytes) {
    return (bytes / 1e6).toFixed(1);
  }

  function announcement() {
    if (python.state === "ready") return "Python is running";
    if (python.state === "failed") return words();
    return { loading: "Loading Python", idle: "Python has ended" }[python.state];
  }

  function errorElement(error) {
    const shown = make("div", { class: "kl-error", role: "alert" });
    shown.append(make("p", {}, error.message));
    if (error.details) {
      const summary = make("summary", {}, "What Python says");
      shown.append(make("details", {}, summary, make("pre", {}, error.details)));
    }
    return shown;
  }

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  document.querySelectorAll("[data-kernellab-python]").forEach(mount);
})();
