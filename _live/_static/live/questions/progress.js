// Progress over the course, on every page: in the sidebar, and where a page asks for it.
//
// Other scripts use
//
//   kernellabProgress.totals()     a promise of [{name, title, page, points, out_of,
//                                  answered, right, questions}], one per sheet
//   kernellabProgress.lastPlace()  a promise of {id, title, sheet, page, time}, or null
//
// in which `page` is an address below the site's root; the event "kernellab-course" on
// the document tells that they changed. An element with data-course-progress is filled
// with a summary and a link “Continue where you were”; the links to sheets in one with
// data-course-sheets get their points, as those in the sidebar do once there are any.

import { lastPlace, totals } from "./course.js";
import { make, number, ROOT } from "./dom.js";
import { all as records, listen } from "./store.js";

window.kernellabProgress = { totals, lastPlace };

async function draw() {
  const [all, last] = await Promise.all([totals(), lastPlace()]);
  drawPoints(all);
  for (const place of document.querySelectorAll("[data-course-progress]"))
    place.replaceChildren(...summary(all, last));
  document.dispatchEvent(new CustomEvent("kernellab-course"));
}

function drawPoints(all) {
  const sidebar = [...document.querySelectorAll(".bd-sidebar-primary a.internal")];
  const listed = [...document.querySelectorAll("[data-course-sheets] a.internal")];
  const current = sidebar.find((one) => one.getAttribute("href") === "#"); // no address
  for (const { page, points, out_of, answered } of all) {
    const address = new URL(page, ROOT).href;
    const leadsThere = (one) => one.href.split("#")[0] === address;
    const here = location.pathname.endsWith(page) ? current : null;
    const done = `${number(points)} of ${out_of}`;
    mark(sidebar.find(leadsThere) ?? here, answered && done);
    mark(listed.find(leadsThere), `${done} points`);
  }
}

function mark(link, text) {
  link?.querySelector(".kl-sheet-points")?.remove();
  if (text) link?.append(make("span", { class: "kl-sheet-points", title: "points" }, text));
}

function* summary(all, last) {
  const sum = (field) => all.reduce((total, sheet) => total + sheet[field], 0);
  if (!last) return;
  const [points, outOf] = [sum("points"), sum("out_of")];
  const done = `${number(points)} of ${outOf} points, ${sum("right")} of ${sum("questions")} questions right`;
  yield make("meter", { min: 0, max: outOf, value: points, "aria-label": "Points of the course" });
  yield make("span", {}, ` ${done}. `);
  const link = { href: new URL(last.page, ROOT).href };
  yield make("a", link, `Continue where you were: ${last.title}`);
}

listen(() => draw());
if ((await records()).length) draw(); // a new reader needs no list of the sheets
