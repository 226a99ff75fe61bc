// The interpreter in a worker: Pyodide from this site's own files, with kernellab.
//
// Python does not begin from nothing: its memory was written down when the site was built
// (tools/snapshot.mjs), with NumPy and the grader imported, and is restored here. Where
// that fails, or the site has none, Python starts and imports as it does anywhere. NumPy's
// other parts and SciPy are unpacked when something first imports them.

const PACKED = ".pack"; // the ending of an archive, which is compressed as a whole
const MOST_MEMORY = 2 ** 30; // bytes, as many as the grader gives a program elsewhere
const PAGE = 2 ** 16; // bytes by which memory is counted
const TOO_MUCH = "it needed more memory than the 1 GiB that it has, and was stopped";

// Arguments and results cross as JSON: plain data, and floats keep every digit.
const BRIDGE = `
import importlib, json, math, random, sys, traceback, types

class Needed(BaseException):
    """Raised by an import of a package that is not unpacked yet: no grader may catch it."""

class Packages:
    """The last finder: what it is asked for is not there."""
    def __init__(self, names):
        self.names = set(names)

    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if package in self.names:
            raise Needed(package)

packages = Packages(json.loads(names))
sys.meta_path.append(packages)

def unpacked(name):
    packages.names.discard(name)
    look_again()

def look_again():
    # importlib.invalidate_caches() does this, and imports importlib.metadata for it.
    for finder in sys.path_importer_cache.values():
        if hasattr(finder, "invalidate_caches"):
            finder.invalidate_caches()

def restored():
    random.seed()
    look_again()

def finite(value):
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

def function(place):
    module, name = place.split(":")
    found = getattr(importlib.import_module(module), name, None)
    if not isinstance(found, types.FunctionType) or not found.__module__.startswith(module):
        raise LookupError(f"there is no function “{name}” in {module}")
    return found

def answer(place, text):
    try:
        args = json.loads(text)
        call = function(place)
        result = call(*args) if isinstance(args, list) else call(**args)
        return json.dumps({"result": finite(result)}, allow_nan=False)
    except Needed as needed:
        return json.dumps({"needs": str(needed)})
    except BaseException as error:
        message = traceback.format_exception_only(error)[-1].strip()
        details = "".join(traceback.format_exception(error))
        return json.dumps({"error": {"message": message, "details": details}})
`;

// Refuse to grow beyond the limit; Python then raises MemoryError. The function that is
// returned tells whether that was so. Memory that has grown is never given back, so this
// Python is then to be replaced.
function limitMemory() {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  let used = false;
  prototype.grow = function (pages) {
    used ||= this.buffer.byteLength + pages * PAGE > MOST_MEMORY;
    if (used) throw new RangeError("no more memory than this");
    return grow.call(this, pages);
  };
  return () => used;
}

// Start Python; a promise of the versions, of restored, whether from its memory, and of
// call(place, args, begun): a promise of {result} or {error}. begun() is called whenever
// Python sets to work. report(progress) hears how far it is: {loaded, total} in bytes, and
// the stage.
export async function start(manifest, folder, report) {
  const { archives, packages } = manifest;
  const place = packagesOf(manifest.lock);
  const memoryUsed = limitMemory();
  const files = verifiedFiles(manifest, folder, report);
  const memory = archives.snapshot && (await begin(archives.snapshot).catch(() => null));
  const python = memory || (await begin());
  const answer = python.globals.get("answer");
  const unpacked = python.globals.get("unpacked");
  const number = python.runPython("'.'.join(map(str, sys.version_info[:3]))");

  async function begin(snapshot) {
    const python = await boot(manifest, folder, files, snapshot);
    files.report("kernellab");
    await unpack("kernellab", python);
    await unpack("exercises", python);
    if (snapshot) examine(python);
    else bridge(python, Object.keys(packages));
    return python;
  }

  async function unpack(part, { FS }) {
    untar(await files.bytes(archives[part]), place, FS);
  }

  async function call(place, args, begun) {
    for (;;) {
      begun();
      const found = attempt(place, args);
      if (memoryUsed()) return { error: { message: TOO_MUCH, details: "" }, lost: true };
      if (!found.needs) return found;
      const failed = await provide(found.needs);
      if (failed) return { error: { message: failed.message, details: "" } };
    }
  }

  // Without memory, neither what Python says nor how it ends can be relied upon.
  function attempt(place, args) {
    try {
      return JSON.parse(answer(place, JSON.stringify(args)));
    } catch (error) {
      if (memoryUsed()) return null;
      throw error;
    }
  }

  async function provide(name) {
    files.report(name);
    const failed = await unpack(name, python).catch((error) => error);
    if (!failed) unpacked(name);
    return failed;
  }
  const versions = { python: number, ...packages, kernellab: manifest.kernellab.version };
  return { call, versions, restored: Boolean(memory) };
}

export function bridge(python, names) {
  python.globals.set("names", JSON.stringify(names));
  python.runPython(BRIDGE);
}

// Whether the grader works, as Python's memory has been restored; it throws if not.
function examine(python) {
  python.globals.get("restored")();
  const found = python.globals.get("answer")("kernellab.grading.page:ready", "[]");
  if (JSON.parse(found).result !== true) throw new Error(found);
}

async function boot(manifest, folder, files, snapshot) {
  const { archives } = manifest;
  const code = Object.keys(manifest.files).filter((name) => !name.endsWith(PACKED));
  const first = [...code, archives.python_stdlib, archives.kernellab, archives.exercises];
  const all = files.download(first, snapshot ? [snapshot] : manifest.ahead);
  // Pyodide gets what was verified, and nothing else from anywhere.
  self.fetch = async (request) => {
    const address = String(request.url ?? request);
    const name = address.startsWith(folder) ? address.slice(folder.length) : address;
    return name.endsWith(PACKED) ? new Response(await files.bytes(name)) : files.once(name);
  };
  const started = launch(manifest, folder, files, snapshot);
  // If a file fails, the reader is told of that file, not of what failed after it.
  started.catch(() => {});
  await all;
  return started;
}

async function launch(manifest, folder, files, snapshot) {
  const { loadPyodide } = await module(await files.bytes("pyodide.mjs"));
  const core = await module(await files.bytes("pyodide.asm.mjs"));
  const place = packagesOf(manifest.lock);
  const kept = snapshot ? entries(await files.bytes(snapshot), place) : [];
  const [memory, ...libraries] = kept;
  const create = linking(core.default, libraries, memory?.data.length);
  return loadPyodide({
    _loadSnapshot: memory?.data,
    indexURL: folder,
    packageBaseUrl: folder,
    stdLibURL: folder + manifest.archives.python_stdlib,
    lockFileContents: { info: manifest.lock, packages: {} },
    createPyodideModule: create,
  });
}

// What creates Pyodide, with NumPy's libraries linked before Python starts: its memory
// refers to them, so they must be where they were when it was written down.
export function linking(create, libraries, bytes = 0) {
  return (pyodide) => {
    pyodide.preRun.push(() => {
      if (pyodide.HEAP8.length < bytes) pyodide.growMemory(bytes);
      for (const { path, data } of libraries) {
        const code = new WebAssembly.Module(data);
        const linked = pyodide.loadWebAssemblyModule(code, { nodelete: true }, path, {});
        pyodide.preloadedWasm[path] = linked;
      }
    });
    return create(pyodide);
  };
}

// A script that has been verified is run from memory, not fetched a second time.
async function module(bytes) {
  const address = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

// The files of the manifest, each fetched once and verified by the browser.
function verifiedFiles(manifest, folder, tell) {
  const fetch = self.fetch.bind(self);
  const responses = new Map();
  const progress = { loaded: 0, total: 0, stage: "download" };

  function report(stage = progress.stage) {
    progress.stage = stage;
    tell({ ...progress });
  }

  function get(name) {
    if (!(name in manifest.files))
      return Promise.reject(new Error(`not a file of this site: ${name}`));
    if (!responses.has(name)) responses.set(name, load(name, manifest.files[name]));
    return responses.get(name);
  }

  async function load(name, { bytes, sha256 }) {
    progress.total += bytes;
    try {
      const found = await fetch(folder + name, { integrity: `sha256-${base64(sha256)}` });
      progress.loaded += bytes;
      report();
      return found;
    } catch {
      progress.total -= bytes;
      responses.delete(name); // the next time it is fetched anew
      throw await whyNot(name);
    }
  }

  // A fetch that fails does not say why.
  async function whyNot(name) {
    const found = await fetch(folder + name, { method: "HEAD" }).catch(() => ({}));
    if (!found.ok) return new Error(`${name} could not be loaded from this site`);
    return new Error(`${name} is not the file that the site was built with: it is damaged`);
  }

  // A response can be read once.
  async function once(name) {
    const found = await get(name);
    responses.delete(name);
    return found;
  }

  async function bytes(name) {
    const { body } = await once(name);
    const gunzip = new DecompressionStream("gzip");
    const content = name.endsWith(PACKED) ? body.pipeThrough(gunzip) : body;
    return new Uint8Array(await new Response(content).arrayBuffer());
  }

  // A promise of the needed ones; the others are under way, too.
  function download(needed, others) {
    for (const name of others) get(name).catch(() => {});
    const all = Promise.all(needed.map(get));
    report();
    return all;
  }

  return { once, bytes, download, report };
}

// Where Pyodide looks for packages, by what its lock file says of itself.
export function packagesOf({ python }) {
  return `/lib/python${python.split(".", 2).join(".")}/site-packages`;
}

// Write the files of a tar archive.
export function untar(tar, place, FS) {
  let last = "";
  for (const { path, data } of entries(tar, place)) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (folder !== last) FS.mkdirTree(folder);
    FS.writeFile(path, data, { canOwn: true });
    last = folder;
  }
}

// The files of a tar archive. Its blocks have 512 bytes; the first one of a file holds the
// name (at 0, and before it what stands at 345) and the size in octal (at 124).
export function* entries(tar, place) {
  const decoder = new TextDecoder();
  const text = (at, length) => decoder.decode(tar.subarray(at, at + length)).split("\0")[0];
  for (let at = 0; tar[at]; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const path = [place, text(at + 345, 155), text(at, 100)].filter(Boolean).join("/");
    const start = at + 512;
    yield { path, data: tar.subarray(start, start + size) };
    at = start + 512 * Math.ceil(size / 512);
  }
}

function base64(hexadecimal) {
  const bytes = hexadecimal.match(/../g).map((pair) => Number.parseInt(pair, 16));
  return btoa(String.fromCharCode(...bytes));
}
