// The line above the questions of a sheet: its points, and what can be done with answers.

import { sheets, totals } from "./course.js";
import { button, make, number } from "./dom.js";
import { download, filledNotebook, progressFile, readProgress } from "./export.js";
import * as store from "./store.js";

const NOTE =
  "This is practice, not an exam: the grader, and what it compares with, are in your " +
  "browser. What you write is sent nowhere; it is kept in this browser until you delete it.";

export class SheetBar {
  constructor(root) {
    this.name = root.dataset.sheet;
    this.meter = make("meter", { min: 0, "aria-label": "Points of this sheet" });
    this.total = make("span", { "data-total": true });
    this.said = make("span", { role: "status", class: "kl-sheet-said" });
    this.file = make("input", {
      type: "file",
      accept: ".json,application/json",
      hidden: true,
      "aria-label": "A file of progress",
      change: () => this.readBack(),
    });
    root.replaceChildren(
      make("p", { class: "kl-sheet-total" }, this.meter, this.total),
      make("p", { class: "kl-sheet-note" }, NOTE),
      this.actions(),
      this.file,
      this.said,
    );
    this.draw();
    store.listen(() => this.draw());
  }

  actions() {
    const small = { class: "kl-button kl-quiet kl-small" };
    const does = (work) => () => this.tried(work);
    return make(
      "details",
      { class: "kl-sheet-actions" },
      make("summary", {}, "Take your answers with you, or delete them"),
      make(
        "div",
        { class: "kl-actions" },
        button("Download the notebook with my answers", does(() => this.notebook()), small),
        button("Save all progress", does(() => this.save()), small),
        button("Read progress back", () => this.file.click(), small),
        button("Delete this sheet's answers", does(() => this.clear(false)), small),
        button("Delete everything", does(() => this.clear(true)), small),
      ),
    );
  }

  async tried(work) {
    try {
      this.said.textContent = (await work()) ?? "";
    } catch (error) {
      this.said.textContent = `That did not work: ${error.message}.`;
    }
  }

  async draw() {
    const sheet = (await totals()).find(({ name }) => name === this.name);
    if (!sheet) return;
    this.meter.max = sheet.out_of;
    this.meter.value = sheet.points;
    this.total.textContent =
      `${number(sheet.points)} of ${sheet.out_of} points; ` +
      `${sheet.right} of ${sheet.questions} questions right`;
    if (!(await store.isKept()))
      this.said.textContent = "This browser keeps nothing: save your progress in a file.";
  }

  async sheet() {
    return (await sheets()).find(({ name }) => name === this.name);
  }

  async notebook() {
    download(`${this.name}.ipynb`, await filledNotebook(await this.sheet()));
    return `${this.name}.ipynb holds your answers: open it in JupyterLab, or submit it.`;
  }

  async save() {
    download("kernellab-progress.json", await progressFile());
    return "Saved: read it back here, or in another browser.";
  }

  readBack() {
    this.tried(async () => {
      const count = await readProgress(await this.file.files[0].text());
      this.file.value = "";
      document.dispatchEvent(new CustomEvent("kernellab-restored"));
      return `${count} ${count === 1 ? "answer was" : "answers were"} read.`;
    });
  }

  async clear(everything) {
    const asked = everything ? "all answers of the whole course" : "all answers of this sheet";
    if (!confirm(`Delete ${asked} from this browser?`)) return "";
    const records = await store.all();
    const own = new Set((await this.sheet()).questions.map(([id]) => id));
    const gone = records.filter(({ id }) => everything || own.has(id.split("/")[0]));
    await store.remove(gone.map(({ id }) => id));
    document.dispatchEvent(new CustomEvent("kernellab-restored"));
    return "Deleted.";
  }
}
