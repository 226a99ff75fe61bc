// Python in the page: starting it, and calls to it.
//
//   kernellabPython.available          whether it can run here; if not, .reason says why
//   kernellabPython.state              "idle", "loading", "ready" or "failed"
//   kernellabPython.versions           of Python and the packages, once it is ready
//   kernellabPython.restored           whether it began from the memory that the site has
//   kernellabPython.start(onProgress)  a promise of the versions
//   kernellabPython.call(name, args, key)  a promise of plain data; see worker.js for the
//       names. It starts Python if need be. Of several waiting calls with one key, only
//       the last is computed, for all of them.
//   kernellabPython.cancel()           gives up the call that is running
//   kernellabPython.stop()             ends Python, here and in the other tabs
//   kernellabPython.run(name, args, {seconds, onProgress})  a call in a worker of its own,
//       for programs that a reader wrote: {promise, stop()}
//   kernellabPython.mount(element), .errorElement(e)    see python_button.js
//
// The event "kernellab-python" on the document tells of changes: its detail has state,
// reason, and the progress: loaded and total in bytes, and the stage. When Python is ready
// and loads a package, the event is "kernellab-progress".
"use strict";

(() => {
  const manifest = window.kernellabRuntime ?? { available: false, why: "" };
  const workers = window.kernellabWorkers;
  const TRIES = 2; // a call during which Python ends is computed once more
  const LAUNCHES = 3; // workers that may end before one of them is ready
  const SUPERSEDED = new Set(["figure", "judge"]); // by a later call with the same name
  const listeners = new Set();
  let state = "idle";
  let reason = "";
  let details = "";
  let versions = null;
  let restored = false;
  let progress = null;
  let worker = null;
  let starting = null; // a promise of the versions, with its resolve and reject
  let launches = 0; // since it was last ready
  let silence = 0; // the timer of a worker that has said nothing
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
      return api.available ? reason : whyNot();
    },
    get details() {
      return details;
    },
    get versions() {
      return versions;
    },
    get restored() {
      return restored;
    },
    get progress() {
      return { ...progress };
    },
    start,
    call,
    cancel,
    stop,
    run,
  };
  window.kernellabPython = api;

  function whyNot() {
    if (location.protocol === "file:")
      return "To run Python in this page, open it from a server: make serve starts one.";
    return (
      "This copy of the site was built without Python for its pages" +
      `${manifest.why ? ` (${manifest.why})` : ""}. ` +
      "With a network, make runtime and then make site add it."
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
    if (state !== "loading") starting = deferred();
    progress = { loaded: 0, total: manifest.bytes, stage: "download" };
    launches += 1;
    worker = workers.shared({ hear, lost });
    silence = setTimeout(leave, 3 * api.patience); // a shared one may hang since before
    become("loading");
  }

  function hear(data) {
    clearTimeout(silence);
    if (data.type === "progress") {
      progress = data;
      if (running) clearTimeout(running.timer); // a download takes as long as it takes
      become(state);
    } else if (data.type === "ready") {
      launches = 0;
      ({ versions, restored } = data);
      become("ready");
      starting.resolve(versions);
      next();
    } else if (data.type === "failed") {
      fail(data.message, data.details);
    } else if (running && data.id === running.id) {
      if (data.type === "begun") begun();
      else answered(data);
    }
  }

  function fail(message, more = "") {
    launches = 0;
    end();
    details = more;
    become("failed", message);
    starting.reject(new Error(message));
    rejectAll(new Error(`Python could not be started: ${message}`));
  }

  function stop() {
    if (state === "idle" || state === "failed") return;
    end();
    if (state === "loading") starting.reject(new Error("it was stopped"));
    become("idle");
    rejectAll(new Error("Python was stopped"));
  }

  function end() {
    clearTimeout(silence);
    worker.leave();
  }

  // The worker has ended. What it has not answered, another one does.
  function lost(why) {
    clearTimeout(silence);
    if (running) takeBack(why);
    if (launches >= LAUNCHES) fail(why);
    else if (waiting.length || state === "loading") launch();
    else become("idle");
  }

  function leave() {
    end();
    lost("it did not answer");
  }

  // --- calls --------------------------------------------------------------------------

  function call(name, args = [], key = defaultKey(name, args)) {
    if (!api.available) return Promise.reject(new Error(api.reason));
    const answer = deferred();
    const same = waiting.find((other) => other.key === key);
    if (same) {
      same.args = args;
      same.answers.push(answer);
    } else {
      waiting.push({ name, args, key, answers: [answer], tries: 0 });
    }
    if (state === "idle" || state === "failed") launch();
    next();
    return answer.promise;
  }

  function defaultKey(name, args) {
    return SUPERSEDED.has(name) ? `${name}:${args[0] ?? args.name}` : Symbol(name);
  }

  function next() {
    if (state !== "ready" || running || !waiting.length) return;
    running = waiting.shift();
    running.id = ++count;
    const { id, name, args } = running;
    worker.post({ type: "call", id, name, args });
    limit(leave); // it is busy for another tab, and that too long
  }

  function limit(then) {
    clearTimeout(running.timer);
    running.timer = setTimeout(then, api.patience);
  }

  function begun() {
    running.begun = true;
    const seconds = api.patience / 1000;
    limit(() => giveUp(`it took longer than ${seconds} seconds and was stopped`));
  }

  function answered({ result, error, lost: broken }) {
    settle(done().answers, result, error);
    if (broken) leave();
    else next();
  }

  function done() {
    const call = running;
    clearTimeout(call.timer);
    running = null;
    return call;
  }

  function settle(answers, result, error) {
    const failed = Object.assign(new Error(error?.message), { details: error?.details });
    for (const answer of answers) error ? answer.reject(failed) : answer.resolve(result);
  }

  function giveUp(message) {
    settle(done().answers, null, { message, details: "" });
    leave();
  }

  // The worker may still be at it; should it never end, its time runs on.
  function cancel() {
    if (!running) return;
    settle(running.answers, null, { message: "it was stopped", details: "" });
    running.answers = [];
  }

  function takeBack(why) {
    const call = done();
    if (call.begun) call.tries += 1;
    call.begun = false;
    if (call.tries < TRIES) waiting.unshift(call);
    else settle(call.answers, null, { message: `Python stopped: ${why}`, details: "" });
  }

  function rejectAll(error) {
    const calls = running ? [done(), ...waiting] : waiting;
    waiting = [];
    for (const { answers } of calls) for (const answer of answers) answer.reject(error);
  }

  function deferred() {
    const made = {};
    made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
    made.promise.catch(() => {}); // the page shows it; who asked hears it too
    return made;
  }

  function become(next, why = "") {
    const changed = next !== state;
    state = next;
    reason = why;
    if (state === "loading") for (const listener of listeners) listener(api.progress);
    else listeners.clear();
    const detail = { state, reason, changed, ...progress };
    const name = changed || state === "loading" ? "kernellab-python" : "kernellab-progress";
    document.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // --- programs that a reader wrote ---------------------------------------------------

  const spare = []; // at most one worker that has ended its run well

  function run(name, args = [], { seconds = 10, onProgress = () => {} } = {}) {
    if (!api.available) return { promise: Promise.reject(new Error(api.reason)), stop() {} };
    const answer = deferred();
    const id = ++count;
    let timer = 0;
    let open = true;
    const own = spare.pop() ?? dedicated();

    function end(message, error) {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      const well = message.type === "answer" && !message.lost;
      if (well && !spare.length) spare.push(own);
      else own.connection.leave();
      settle([answer], message.result, error ?? message.error);
    }
    const stopped = (words) => end({}, { message: words, details: "" });
    own.lost = (why) => stopped(`Python stopped: ${why}`);
    own.hear = (message) => {
      if (message.type === "progress") {
        clearTimeout(timer);
        onProgress(message);
      } else if (message.type === "failed") end({}, message);
      else if (message.id !== id) return;
      else if (message.type === "answer") end(message);
      else {
        clearTimeout(timer);
        onProgress({ state: "ready" });
        const late = () => stopped(`it took longer than ${seconds} seconds and was stopped`);
        timer = setTimeout(late, 1000 * seconds);
      }
    };
    own.connection.post({ type: "call", id, name, args });
    return { promise: answer.promise, stop: () => stopped("it was stopped") };
  }

  function dedicated() {
    const own = {};
    own.connection = workers.dedicated({
      hear: (message) => own.hear(message),
      lost: (why) => own.lost(why),
    });
    return own;
  }

  // What another page of this site has started, this page goes on with.
  if (api.available)
    workers.isRunning().then((running) => running && state === "idle" && start());
})();
