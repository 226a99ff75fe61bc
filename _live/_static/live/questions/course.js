// The course as the progress sees it: its sheets, their questions, and what is done.

import { load } from "./dom.js";
import * as store from "./store.js";

let loaded = null;

// The sheets: [{name, title, page, notebook, questions: [[id, title, points]]}].
export function sheets() {
  loaded ??= load("course.json").then(
    (course) => course.sheets,
    () => [],
  );
  return loaded;
}

// Per sheet: {name, title, page, points, out_of, answered, right, questions}.
export async function totals() {
  const [all, records] = await Promise.all([sheets(), store.all()]);
  const known = new Map(records.map((record) => [record.id, record]));
  return all.map((sheet) => total(sheet, known));
}

function total({ name, title, page, questions }, known) {
  const records = questions.map(([id]) => known.get(id) ?? {});
  const tried = ({ status }) => status && status !== "unanswered";
  return {
    name,
    title,
    page,
    points: records.reduce((sum, record) => sum + (record.points ?? 0), 0),
    out_of: questions.reduce((sum, [, , points]) => sum + points, 0),
    answered: records.filter(tried).length,
    right: records.filter(({ status }) => status === "right").length,
    questions: questions.length,
  };
}

// The question that was answered last: {id, title, sheet, page, time}, or null.
export async function lastPlace() {
  const [all, records] = await Promise.all([sheets(), store.all()]);
  const latest = records.toSorted((one, two) => two.time - one.time);
  for (const { id, time } of latest) {
    const asked = id.split("/")[0];
    for (const sheet of all) {
      const question = sheet.questions.find(([name]) => name === asked);
      if (question)
        return {
          id: asked,
          title: question[1],
          sheet: sheet.title,
          page: `${sheet.page}#ex-${asked}`,
          time,
        };
    }
  }
  return null;
}
