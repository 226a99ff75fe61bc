// The questions of this page, and the line above those of a sheet.
//
// A question is built when it comes near the screen. The others follow one by one, with
// pauses, so that no step takes long: a browser looks at all text fields of a page, and
// lays out what they are in, whenever some are added.

import { Question } from "./question.js";
import { SheetBar } from "./sheet.js";

const PAUSE_MS = 25;
const waiting = new Set(document.querySelectorAll(".kl-question"));
const build = (root) => {
  near.unobserve(root);
  if (waiting.delete(root)) new Question(root);
};
const near = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) build(target);
  },
  { rootMargin: "100%" },
);
const buildNext = () => {
  const [next] = waiting;
  if (!next) return;
  build(next);
  setTimeout(buildNext, PAUSE_MS);
};

for (const root of document.querySelectorAll(".kl-sheet")) new SheetBar(root);
for (const root of waiting) near.observe(root);
setTimeout(buildNext, PAUSE_MS);
