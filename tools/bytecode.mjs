// Compile the Python files of tar archives to bytecode, with the Python of the pages.
//
//   node bytecode.mjs RUNTIME FOLDER NAME=ROOT …
//
// RUNTIME holds Pyodide. Of each FOLDER/NAME a FOLDER/NAME.compiled is written, in
// which a.py has become a.pyc, as if it lay in ROOT, which is "packages" or "stdlib". All
// other files are kept.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const COMPILE = `
import io, site, sys, tarfile
from importlib.util import source_hash
from importlib._bootstrap_external import _code_to_hash_pyc

def compiled(name, data):
    code = compile(data, f"{folder}/{name}", "exec", dont_inherit=True)
    # Unchecked: nothing but the site's own manifest vouches for what it ships.
    return bytes(_code_to_hash_pyc(code, source_hash(data), False))

zipped = "/lib/python{0}{1}.zip".format(*sys.version_info)
folder = {"packages": site.getsitepackages()[0], "stdlib": zipped}[root]
with tarfile.open("/in") as old, tarfile.open("/out", "w") as new:
    for info in old:
        data = old.extractfile(info).read()
        if info.name.endswith(".py"):
            data = compiled(info.name, data)
            info.name += "c"
            info.size = len(data)
        new.addfile(info, io.BytesIO(data))
`;

const [runtime, folder, ...jobs] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: runtime });
for (const job of jobs) {
  const [name, root] = job.split("=");
  python.FS.writeFile("/in", fs.readFileSync(path.join(folder, name)));
  python.globals.set("root", root);
  python.runPython(COMPILE);
  fs.writeFileSync(path.join(folder, `${name}.compiled`), python.FS.readFile("/out"));
}
