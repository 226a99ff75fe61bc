// What a reader has answered, kept in this browser: one record per question.
//
//   {id, text, time, status, points, out_of, checked, found, best, hints}
//
// `checked` is the text that the last result, `found`, is about; `best`, {points, text},
// the answer that earned most; `time` is when the record last changed. Where the browser
// keeps nothing, the page does, while it is open.

const DATABASE = "kernellab";
const ANSWERS = "answers";

const channel = "BroadcastChannel" in window ? new BroadcastChannel("kernellab") : null;
const listeners = new Set();
const memory = new Map();
let database = opened();

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(ANSWERS, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// The database, opened anew if the browser closes it (whoever clears its data does); null
// where nothing is kept.
async function opened() {
  try {
    const db = await open();
    db.onclose = () => (database = opened());
    return db;
  } catch {
    return null;
  }
}

// Run `work(store)`, which returns a request or nothing; a promise of its result once all
// of it is on the disk.
async function transaction(mode, work) {
  const db = await database;
  return new Promise((resolve, reject) => {
    const all = db.transaction(ANSWERS, mode, { durability: "strict" });
    const request = work(all.objectStore(ANSWERS));
    all.oncomplete = () => resolve(request?.result);
    all.onerror = all.onabort = () => reject(all.error);
  });
}

export const isKept = async () => (await database) !== null;

export async function get(id) {
  if (!(await isKept())) return memory.get(id);
  return transaction("readonly", (store) => store.get(id));
}

export async function all() {
  if (!(await isKept())) return [...memory.values()];
  return transaction("readonly", (store) => store.getAll());
}

// Change some fields of a record, and its time.
export async function update(id, changes) {
  const change = (old) => ({ ...old, ...changes, id, time: Date.now() });
  if (!(await isKept())) memory.set(id, change(memory.get(id)));
  else
    await transaction("readwrite", (store) => {
      const read = store.get(id);
      read.onsuccess = () => store.put(change(read.result));
      return read;
    });
  tell([id]);
}

export async function remove(ids) {
  if (!(await isKept())) for (const id of ids) memory.delete(id);
  else
    await transaction("readwrite", (store) => {
      for (const id of ids) store.delete(id);
    });
  tell(ids);
}

// Put whole records in, as they were saved elsewhere.
export async function restore(records) {
  if (!(await isKept())) for (const record of records) memory.set(record.id, record);
  else
    await transaction("readwrite", (store) => {
      for (const record of records) store.put(record);
    });
  tell(records.map((record) => record.id));
}

// Hear of changes, here and in other tabs: the ids that changed, and whether elsewhere.
export function listen(listener) {
  listeners.add(listener);
}

function tell(ids) {
  channel?.postMessage(ids);
  for (const listener of listeners) listener(ids, false);
}

if (channel)
  channel.onmessage = ({ data }) => {
    for (const listener of listeners) listener(data, true);
  };
