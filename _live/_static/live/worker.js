// Python in a web worker: starts Pyodide from this site's own files, with NumPy, SciPy
// and kernellab, and answers calls. python.js speaks with it.
//
//   in   {type: "start", manifest, folder}       {type: "call", id, name, args}
//   out  {type: "progress", loaded, total, stage}, then {type: "ready", versions}
//        or {type: "failed", message, details}
//        {type: "answer", id, result}  or  {type: "answer", id, error: {message, details}}

// What may be called, and where it is. Everything else is refused.
const FUNCTIONS = new Map([
  ["versions", "versions"],
  ["figure", "kernellab.figures.live:compute"],
  ["judge", "kernellab.grading.page:judge"],
]);

// Arguments and results cross as JSON: plain data, and floats keep every digit.
const BRIDGE = `
import importlib, json, math, platform, sys, traceback

def versions():
    names = ("numpy", "scipy", "kernellab")
    found = {name: importlib.import_module(name).__version__ for name in names}
    return {"python": platform.python_version(), **found}

def finite(value):
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

def function(place):
    if place == "versions":
        return versions
    module, name = place.split(":")
    return getattr(importlib.import_module(module), name)

def answer(place, text):
    try:
        args = json.loads(text)
        call = function(place)
        result = call(*args) if isinstance(args, list) else call(**args)
        return json.dumps({"result": finite(result)}, allow_nan=False)
    except BaseException as error:
        message = traceback.format_exception_only(error)[-1].strip()
        details = "".join(traceback.format_exception(error))
        return json.dumps({"error": {"message": message, "details": details}})
`;

let answer;

self.onmessage = async ({ data }) => {
  if (data.type === "start") {
    try {
      self.postMessage({ type: "ready", versions: await start(data) });
    } catch (error) {
      const details = String(error.stack ?? "");
      self.postMessage({ type: "failed", message: error.message, details });
    }
  } else if (data.type === "call") {
    self.postMessage({ type: "answer", id: data.id, ...call(data.name, data.args) });
  }
};

function call(name, args) {
  const place = FUNCTIONS.get(name);
  if (!place) return { error: { message: `there is no function “${name}”`, details: "" } };
  try {
    return JSON.parse(answer(place, JSON.stringify(args)));
  } catch (error) {
    // Not an exception of Python, which comes as an answer: Python itself is lost.
    const details = String(error.stack ?? "");
    return { error: { message: `Python stopped: ${error.message}`, details }, lost: true };
  }
}

async function start({ manifest, folder }) {
  const files = download(manifest, folder);
  // Pyodide gets what was verified, and nothing else from anywhere.
  self.fetch = async (request) => {
    const address = String(request.url ?? request);
    const name = address.startsWith(folder) ? address.slice(folder.length) : "";
    if (!(name in files)) throw new Error(`not a file of this site: ${address}`);
    const type = name.endsWith(".wasm") ? "application/wasm" : "";
    return new Response(await files[name], { headers: { "Content-Type": type } });
  };
  // If one file fails, the reader is told of that one, not of what failed after it.
  const started = boot(manifest, folder, files);
  started.catch(() => {});
  await Promise.all(Object.values(files));
  return started;
}

async function boot(manifest, folder, files) {
  const { loadPyodide } = await module(files["pyodide.mjs"]);
  const core = await module(files["pyodide.asm.mjs"]);
  const python = await loadPyodide({
    indexURL: folder,
    packageBaseUrl: folder,
    createPyodideModule: core.default,
  });
  stage("NumPy and SciPy");
  const errors = [];
  await python.loadPackage(manifest.packages, {
    messageCallback: () => {},
    errorCallback: (text) => errors.push(text),
  });
  const missing = manifest.packages.filter((name) => !python.loadedPackages[name]);
  if (missing.length) throw new Error(`${missing} did not load: ${errors.join(" ")}`);
  stage("kernellab");
  const archive = await files[manifest.kernellab.archive];
  const places = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(archive, "zip", { extractDir: places });
  python.runPython(BRIDGE);
  answer = python.globals.get("answer");
  return JSON.parse(answer("versions", "[]")).result;
}

// A script that has been verified is run from memory, not fetched a second time.
async function module(bytes) {
  const blob = new Blob([await bytes], { type: "text/javascript" });
  const address = URL.createObjectURL(blob);
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

const progress = { type: "progress", loaded: 0, total: 0, stage: "download" };

function stage(name) {
  progress.stage = name;
  self.postMessage(progress);
}

// A promise of the verified content of each file; the bytes are counted as they come.
function download(manifest, folder) {
  const get = self.fetch.bind(self);
  const all = Object.entries(manifest.files);
  progress.total = all.reduce((sum, [, file]) => sum + file.bytes, 0);
  return Object.fromEntries(
    all.map(([name, file]) => [name, one(get, folder + name, name, file)]),
  );
}

async function one(get, address, name, file) {
  const response = await get(address).catch(() => ({}));
  if (!response.ok) throw new Error(`${name} could not be loaded from this site`);
  const bytes = new Uint8Array(file.bytes);
  let at = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > bytes.length) throw changed(name);
    bytes.set(value, at);
    at += value.length;
    progress.loaded += value.length;
    tell();
  }
  // Over plain http from another machine there is no crypto.subtle.
  const hash = self.crypto?.subtle ? await sha256(bytes) : file.sha256;
  if (at !== bytes.length || hash !== file.sha256) throw changed(name);
  return bytes;
}

function changed(name) {
  return new Error(`${name} is not the file that the site was built with: it is damaged`);
}

async function sha256(bytes) {
  const hash = new Uint8Array(await self.crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

let told = 0;

function tell() {
  const now = performance.now();
  if (now - told < 100 && progress.loaded < progress.total) return;
  told = now;
  self.postMessage(progress);
}
