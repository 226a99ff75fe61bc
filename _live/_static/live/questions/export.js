// Answers as files: a sheet's notebook with the answers in it, and all records as one file.

import { ROOT } from "./dom.js";
import * as store from "./store.js";

const FORMAT = "kernellab-progress";

// The notebook of a sheet as the course has it, with the reader's answers in their cells.
export async function filledNotebook({ notebook: address, questions }) {
  const response = await fetch(new URL(address, ROOT));
  if (!response.ok) throw new Error("the notebook of this sheet is not on this site");
  const notebook = await response.json();
  const records = await store.all();
  const texts = new Map(records.map(({ id, text }) => [id, text]));
  for (const [id] of questions) {
    const cell = notebook.cells.find((one) => one.id === `a-${id}`);
    const text = texts.get(id);
    if (cell && text?.trim()) fill(cell, `%%answer ${id}\n${text}`);
  }
  return notebook;
}

function fill(cell, source) {
  cell.source = source.split(/(?<=\n)/);
  cell.outputs = [];
  cell.execution_count = null;
}

export async function progressFile() {
  const answers = await store.all();
  return { format: FORMAT, version: 1, saved: new Date().toISOString(), answers };
}

// Read a progress file back; what is there already stays if it is newer.
export async function readProgress(text) {
  const found = parsed(text);
  const known = new Map((await store.all()).map((record) => [record.id, record]));
  const newer = found.filter(({ id, time }) => !(known.get(id)?.time >= time));
  await store.restore(newer);
  return newer.length;
}

function parsed(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error("this file is not JSON; expected one that “Save all progress” wrote");
  }
  const records = content?.format === FORMAT && content.answers;
  if (!Array.isArray(records) || !records.every(isRecord))
    throw new Error("this is not a file of progress; expected one that “Save all progress” wrote");
  return records;
}

function isRecord(record) {
  return typeof record?.id === "string" && typeof record.time === "number";
}

export function download(name, content) {
  const blob = new Blob([`${JSON.stringify(content, null, 1)}\n`], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
