// How a page reaches Python: through a worker that all pages of the site share, or one
// of its own.
//
//   kernellabWorkers.shared(handlers), .dedicated(handlers)
//
// connect to a worker that has been started, or is now. The handlers are hear(message)
// and lost(reason), called once if the worker has ended by itself. The connection has
// post(message) and leave(), which ends the worker.
//
// A shared worker outlives the page that started it, so the next page finds it running.
// It cannot be ended from outside: who leaves it asks it to close, and raises the number
// in localStorage that is part of its name. Other pages hear of that, and go on with the
// worker of the new name.
"use strict";

(() => {
  const manifest = window.kernellabRuntime;
  // The build in the address keeps an old copy of the script out.
  const script = new URL(`worker.js?v=${manifest?.build}`, document.currentScript.src);
  const folder = new URL("../python/", script).href;
  const NUMBER = "kernellab-python-worker";
  let sharing = "SharedWorker" in window;

  window.kernellabWorkers = { shared, dedicated, isRunning };

  function name() {
    return `kernellab-${manifest.build}-${localStorage.getItem(NUMBER) ?? 0}`;
  }

  function dedicated({ hear, lost }) {
    const worker = new Worker(script, { type: "module" });
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      lost(event.message || "the worker could not be started");
    };
    const post = (message) => worker.postMessage(message);
    post({ type: "start", manifest, folder });
    return { post, leave: () => worker.terminate() };
  }

  function shared(handlers) {
    try {
      if (sharing) return connect(name(), handlers);
    } catch {
      sharing = false; // no storage, or no shared workers in this mode of the browser
    }
    return dedicated(handlers);
  }

  function connect(mine, { hear, lost }) {
    const options = { type: "module", name: mine, extendedLifetime: true };
    const { port } = Object.assign(new SharedWorker(script, options), { onerror: refuse });
    const ending = new AbortController();
    let heard = false;

    function end(reason) {
      if (ending.signal.aborted) return;
      ending.abort();
      port.close();
      lost(reason);
    }
    function refuse(event) {
      event.preventDefault();
      sharing = heard;
      end("the worker could not be started");
    }
    function leave() {
      ending.abort();
      port.postMessage({ type: "close" });
      if (mine === name()) localStorage.setItem(NUMBER, Date.now());
    }
    port.onmessage = ({ data }) => {
      if (!heard) whenUnlocked(mine, ending.signal, () => end("it was ended"));
      heard = true;
      if (!ending.signal.aborted) hear(data);
    };
    const moved = () => mine !== name() && end("it was ended in another tab");
    addEventListener("storage", moved, { signal: ending.signal });
    const post = (message) => port.postMessage(message);
    post({ type: "start", manifest, folder });
    return { post, leave };
  }

  // The worker holds this lock as long as it lives.
  function whenUnlocked(lock, signal, then) {
    navigator.locks?.request(lock, { signal, mode: "shared" }, then).catch(() => {});
  }

  // A promise of whether a shared worker runs already.
  async function isRunning() {
    try {
      const mine = name();
      const { held } = await navigator.locks.query();
      return sharing && held.some((lock) => lock.name === mine);
    } catch {
      return false;
    }
  }
})();
