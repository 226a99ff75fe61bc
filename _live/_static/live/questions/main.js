// The questions of this page, and the line above those of a sheet.

import { Question } from "./question.js";
import { SheetBar } from "./sheet.js";

for (const root of document.querySelectorAll(".kl-sheet")) new SheetBar(root);
for (const root of document.querySelectorAll(".kl-question")) new Question(root);
