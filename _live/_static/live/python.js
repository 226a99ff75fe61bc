// Python in the page: the button that starts it, and calls to it.
//
// Wherever the page has an element with data-kernellab-python, this script draws a button
// there. Pressed, it starts one worker (worker.js) for the whole page. Other scripts use
//
//   kernellabPython.available          whether it can run here; if not, .reason says why
//   kernellabPython.state              "idle", "loading", "ready" or "failed"
//   kernellabPython.start(onProgress)  a promise of the versions
//   kernellabPython.call(name, args)   a promise of plain data; see worker.js for the names
//   kernellabPython.cancel()           gives up the call that is running
//   kernellabPython.stop()             ends Python
//   kernellabPython.errorElement(e)    a failed call's error, as an element for the page
//
// and hear of changes through the event "kernellab-python" on the document.
"use strict";

(() => {
  const here = document.currentScript.src;
  const folder = new URL("../python/", here).href;
  const manifest = window.kernellabRuntime ?? { available: false, why: "" };
  const listeners = new Set();
  let state = "idle";
  let reason = "";
  let details = "";
  let versions = null;
  let progress = { loaded: 0, total: size(), stage: "download" };
  let worker = null;
  let starting = null; // a promise of the versions, with its resolve and reject
  let running = null; // the call that the worker computes
  let waiting = []; // the calls after it
  let count = 0;

  const api = {
    patience: 20000, // milliseconds that a call may take
    get available() {
      return Boolean(manifest.available) && location.protocol !== "file:";
    },
    get state() {
      return state;
    },
    get reason() {
      return api.available ? reason : whyNot().replaceAll("`", "");
    },
    get versions() {
      return versions;
    },
    start,
    call,
    cancel: () => giveUp("it was stopped"),
    stop,
    mount,
    errorElement,
  };
  window.kernellabPython = api;

  function size() {
    const files = Object.values(manifest.files ?? {});
    return files.reduce((sum, file) => sum + file.bytes, 0);
  }

  function whyNot() {
    if (location.protocol === "file:")
      return "To run Python in this page, open it from a server: `make serve` starts one.";
    return (
      "This copy of the site was built without Python for its pages" +
      `${manifest.why ? ` (${manifest.why})` : ""}. ` +
      "With a network, `make runtime` and then `make site` add it."
    );
  }

  // --- starting and ending ------------------------------------------------------------

  function start(onProgress) {
    if (!api.available) return Promise.reject(new Error(api.reason));
    if (onProgress) listeners.add(onProgress);
    if (state === "idle" || state === "failed") launch();
    return starting.promise;
  }

  function launch() {
    starting = deferred();
    starting.promise.catch(() => {}); // the page shows it; who asked hears it too
    progress = { loaded: 0, total: size(), stage: "download" };
    worker = new Worker(new URL("worker.js", here), { type: "module" });
    worker.onmessage = hear;
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || "the worker could not be started");
    };
    worker.postMessage({ type: "start", manifest, folder });
    become("loading");
  }

  function hear({ data }) {
    if (data.type === "progress") {
      progress = data;
      become("loading");
    } else if (data.type === "ready") {
      versions = data.versions;
      become("ready");
      starting.resolve(versions);
      next();
    } else if (data.type === "failed") {
      fail(data.message, data.details);
    } else if (running && data.id === running.id) {
      settle(data);
      if (data.lost) restart();
      else next();
    }
  }

  function fail(message, more = "") {
    worker?.terminate();
    worker = null;
    details = more;
    become("failed", message);
    starting.reject(new Error(message));
    rejectAll(new Error(`Python could not be started: ${message}`));
  }

  function stop() {
    worker?.terminate();
    worker = null;
    if (state === "loading") starting.reject(new Error("it was stopped"));
    become("idle");
    rejectAll(new Error("Python was stopped"));
  }

  // The waiting calls stay, and are computed after it.
  function restart() {
    worker.terminate();
    running = null;
    launch();
  }

  // --- calls --------------------------------------------------------------------------

  // Of several waiting calls with one key, only the last is computed, for all of them.
  function call(name, args = [], key = `${name}:${args[0] ?? args.name}`) {
    if (state === "idle" || state === "failed")
      return Promise.reject(new Error("Python is not running in this page"));
    const answer = deferred();
    const same = waiting.find((other) => other.key === key);
    if (same) {
      same.args = args;
      same.answers.push(answer);
    } else {
      waiting.push({ name, args, key, answers: [answer] });
    }
    next();
    return answer.promise;
  }

  function next() {
    if (state !== "ready" || running || !waiting.length) return;
    running = waiting.shift();
    running.id = ++count;
    const { id, name, args } = running;
    worker.postMessage({ type: "call", id, name, args });
    const seconds = api.patience / 1000;
    const late = () => giveUp(`it took longer than ${seconds} seconds and was stopped`);
    running.timer = setTimeout(late, api.patience);
  }

  function settle({ result, error }) {
    clearTimeout(running.timer);
    const { answers } = running;
    running = null;
    const reject = Object.assign(new Error(error?.message), { details: error?.details });
    for (const answer of answers) error ? answer.reject(reject) : answer.resolve(result);
  }

  function giveUp(message) {
    if (!running) return;
    settle({ error: { message, details: "" } });
    restart();
  }

  function rejectAll(error) {
    if (running) clearTimeout(running.timer);
    const calls = running ? [running, ...waiting] : waiting;
    running = null;
    waiting = [];
    for (const { answers } of calls) for (const answer of answers) answer.reject(error);
  }

  function deferred() {
    const made = {};
    made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
    return made;
  }

  // --- what the reader sees -----------------------------------------------------------

  const places = [];

  function become(next, why = "") {
    const news = next !== state;
    state = next;
    reason = why;
    for (const place of places) draw(place);
    if (news && places.length) places[0].status.textContent = announcement();
    if (state === "loading") for (const listener of listeners) listener({ ...progress });
    else listeners.clear();
    const detail = { state, reason, ...progress };
    document.dispatchEvent(new CustomEvent("kernellab-python", { detail }));
  }

  function mount(element) {
    if (places.some((place) => place.element === element)) return;
    if (!api.available) {
      const parts = whyNot().split("`"); // every second one is code
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
    if (state === "idle" || state === "failed") start().catch(() => {});
    else stop();
  }

  function draw({ element, button, bar, text, more }) {
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

  // Most of the wait is the download; two steps come after it.
  function share() {
    const after = { download: 0, "NumPy and SciPy": 1, kernellab: 2 }[progress.stage];
    return (0.7 * progress.loaded) / progress.total + 0.1 * after;
  }

  function words() {
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    if (state === "idle") return `loads ${megabytes(size())} MB from this site`;
    if (state === "failed") return `Python could not be started: ${reason}.`;
    if (state === "ready") {
      const { python, numpy, scipy, kernellab } = versions;
      const exact = `kernellab ${kernellab} (${manifest.kernellab.hash})`;
      return `Python ${python}, NumPy ${numpy}, SciPy ${scipy}, ${exact}`;
    }
    const { loaded, total, stage } = progress;
    if (loaded < total) return `${megabytes(loaded)} of ${megabytes(total)} MB`;
    return stage === "download" ? "starting Python …" : `starting ${stage} …`;
  }

  function announcement() {
    if (state === "ready") return "Python is running";
    return { loading: "Loading Python", failed: words(), idle: "Python has ended" }[state];
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
