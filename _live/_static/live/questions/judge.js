// Ask the grader, which is Python in this page (../python.js), about an answer.

const SLOWER = 6; // than the processor that a program's time limit was meant for

// A program that the reader wrote runs in a worker of its own, which can be ended.
export function ask({ id, kind, setup }, text, onProgress) {
  const python = window.kernellabPython;
  if (!python?.available) return refused(python?.reason);
  if (kind !== "code")
    return { promise: python.call("page.judge", [id, text], `check:${id}`), stop: null };
  return python.run("page.judge", [id, text], { seconds: SLOWER * setup.seconds, onProgress });
}

// What the margin shows while one writes: only the last text that waits is judged.
export function watch(name, id, text) {
  const python = window.kernellabPython;
  if (!python?.available) return Promise.reject(new Error(python?.reason));
  return python.call(name, [id, text], `live:${name}:${id}`);
}

function refused(reason) {
  const why = reason || "The scripts of this page were not loaded.";
  return { promise: Promise.reject(new Error(why)), stop: null };
}

export function ranTooLong(error) {
  return /took longer/.test(error.message);
}

// Say how far Python is while it starts, and draw it in a bar; call `end` when it is over.
// A program has a worker of its own, and does not hear of the Python that tabs share.
export function startDisplay(bar, say, shared) {
  const draw = ({ state = "loading", loaded = 0, total = 0 }) => {
    bar.hidden = state !== "loading";
    if (bar.hidden) return say("Checking …");
    if (total) bar.value = loaded / total;
    else bar.removeAttribute("value");
    const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
    const far = total ? `: ${megabytes(loaded)} of ${megabytes(total)} MB` : "";
    say(loaded && loaded === total ? "Starting Python …" : `Loading Python${far} …`);
  };
  const hear = ({ detail }) => draw(detail);
  if (shared) document.addEventListener("kernellab-python", hear);
  draw(shared ? { state: window.kernellabPython?.state } : {});
  const end = () => {
    document.removeEventListener("kernellab-python", hear);
    bar.hidden = true;
  };
  return { draw, end };
}
