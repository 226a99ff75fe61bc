// Python in a worker, which one page has to itself or all pages share (workers.js).
//
//   in   {type: "start", manifest, folder}   {type: "call", id, name, args}
//        {type: "close"}
//   out  {type: "progress", loaded, total, stage}, then {type: "ready", versions, restored}
//        or {type: "failed", message, details}
//        {type: "begun", id}, when Python sets to work on a call, and then
//        {type: "answer", id, result}  or  {type: "answer", id, error: {message, details}};
//        with lost: true if Python is of no more use
//
// A lock with the worker's name is held from its start to its end, however it ends.

// What may be called, and where it is; and, as page.NAME, the grader's functions for the
// page. Everything else is refused.
const FUNCTIONS = new Map([
  ["figure", "kernellab.figures.live:compute"],
  ["judge", "kernellab.grading.page:judge"],
]);
const OF_THE_GRADER = /^page\.([a-z]\w*)$/;

const shared = "onconnect" in self;
const ports = new Set();
let starting = null; // a promise of the interpreter
let news = null; // the last message to all, for whoever comes later
let last = Promise.resolve(); // settled when the calls so far are answered

if (shared) self.onconnect = ({ ports: [port] }) => open(port);
else open(self);

function open(port) {
  ports.add(port);
  port.onmessage = ({ data }) => {
    if (data.type === "start") begin(port, data);
    else if (data.type === "call") last = last.then(() => answer(port, data));
    else if (data.type === "close") self.close();
  };
}

function tell(message) {
  if (news?.type !== "ready") news = message;
  for (const port of ports) port.postMessage(message);
}

function begin(port, { manifest, folder }) {
  if (starting) {
    if (news) port.postMessage(news);
    return;
  }
  const report = (progress) => tell({ type: "progress", ...progress });
  starting = locked().then(async () => {
    const { start } = await import(`./interpreter.js${self.location.search}`);
    return start(manifest, folder, report);
  });
  starting.then(
    ({ versions, restored }) => tell({ type: "ready", versions, restored }),
    ({ message, stack }) => tell({ type: "failed", message, details: String(stack ?? "") }),
  );
}

// Pages that hear of this worker ask for its lock, to learn of its end: it comes first.
function locked() {
  const { locks } = self.navigator;
  if (!shared || !locks) return Promise.resolve();
  return new Promise((resolve) => {
    locks.request(self.name, () => {
      resolve();
      return new Promise(() => {}); // never released by itself
    });
  });
}

async function answer(port, { id, name, args }) {
  const reply = await call(name, args, () => port.postMessage({ type: "begun", id }));
  port.postMessage({ type: "answer", id, ...reply });
}

async function call(name, args, begun) {
  try {
    const python = await starting;
    if (name === "versions") return { result: python.versions };
    const place = FUNCTIONS.get(name) ?? ofTheGrader(name);
    if (place) return await python.call(place, args, begun);
    return { error: { message: `there is no function “${name}”`, details: "" } };
  } catch (error) {
    // Not an exception of Python, which comes as an answer: Python itself is lost.
    const details = String(error.stack ?? "");
    return { error: { message: `Python stopped: ${error.message}`, details }, lost: true };
  }
}

function ofTheGrader(name) {
  const found = OF_THE_GRADER.exec(name);
  return found && `kernellab.grading.page:${found[1]}`;
}
