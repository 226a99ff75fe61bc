// Write down the memory of the pages' Python once it has imported NumPy and the grader.
//
//   node snapshot.mjs RUNTIME FOLDER INTERPRETER PACKAGE …
//
// RUNTIME holds Pyodide, FOLDER archives of the site: "python_stdlib", "kernellab", the
// PACKAGEs that this imports, and "libraries", what of them is WebAssembly. The memory
// becomes FOLDER/memory; INTERPRETER, the script of the pages, will restore it.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [runtime, folder, script, ...packages] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(file));
const { bridge, entries, linking, packagesOf, untar } = await load(script);
const { loadPyodide } = await load(path.join(runtime, "pyodide.mjs"));
const core = await load(path.join(runtime, "pyodide.asm.mjs"));
const lock = JSON.parse(fs.readFileSync(path.join(runtime, "pyodide-lock.json")));

const place = packagesOf(lock.info);
const unpacked = (name) => new Uint8Array(gunzipSync(fs.readFileSync(path.join(folder, name))));
const library = path.join(folder, "python_stdlib.zip");
fs.writeFileSync(library, unpacked("python_stdlib"));
const libraries = [...entries(unpacked("libraries"), place)];
const python = await loadPyodide({
  indexURL: runtime,
  stdLibURL: library,
  createPyodideModule: linking(core.default, libraries),
  _makeSnapshot: true,
});
const there = packages.filter((name) => fs.existsSync(path.join(folder, name)));
for (const name of ["kernellab", ...there]) untar(unpacked(name), place, python.FS);
bridge(python, packages);
python.runPython(`
packages.names.difference_update(${JSON.stringify(there)})
assert function("kernellab.grading.page:ready")()
packages.names.update(${JSON.stringify(there)})  # their files will not be there
`);

const known = new Set(libraries.map((file) => file.path));
const linked = Object.keys(python._module.LDSO.loadedLibsByName);
const strange = linked.filter((name) => name.endsWith(".so") && !known.has(name));
if (strange.length) throw new Error(`not among the libraries to link: ${strange}`);
fs.writeFileSync(path.join(folder, "memory"), python.makeMemorySnapshot());
