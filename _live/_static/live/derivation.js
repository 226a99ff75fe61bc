// Exercises that are answered and graded in the page (see _ext/live_derivation.py).
//
// The page brings the tasks; this script adds the place to write. What is written stays
// in the browser's storage. When Python runs (python.js), each pause in the writing, and
// each press of Ctrl+Enter, has it judged: a mark at each line, the report below.
"use strict";

(() => {
  const PAUSE = 1200; // milliseconds without a key until the text is judged
  const MARKS = { ok: "✓", carried: "↪", wrong: "✗", unreadable: "✗", skipped: "·" };
  const WORK = `
    <div class="kl-columns"><div class="kl-desk">
    <label class="kl-desk-label">Your derivation
      <small>one step per line: <code>relation</code>, or <code>relation | reason</code></small></label>
    <div class="kl-pad">
      <div class="kl-gutter" aria-hidden="true"></div>
      <textarea wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off"
        placeholder="J = …   | matrix form"></textarea>
    </div>
    <div class="kl-actions">
      <button type="button" class="kl-button" data-do="check"
        title="Ctrl+Enter" aria-keyshortcuts="Control+Enter">Check</button>
      <span class="kl-score"><meter min="0" aria-label="Points"></meter>
        <span></span></span>
      <span class="kl-others">
        <button type="button" class="kl-button kl-quiet" data-do="copy">Copy</button>
        <button type="button" class="kl-button kl-quiet"
          data-do="download">Download</button>
        <button type="button" class="kl-button kl-quiet"
          data-do="again">Start again</button></span>
    </div>
    <p class="kl-said" role="status"></p>
    <div class="kl-verdict"></div>
    </div><div class="kl-side"></div></div>`;

  const storage = {
    get(name) {
      try {
        return localStorage.getItem(name) ?? "";
      } catch {
        return ""; // a browser that keeps nothing
      }
    },
    set(name, text) {
      try {
        if (text) localStorage.setItem(name, text);
        else localStorage.removeItem(name);
      } catch {
        // the text stays as long as the page does
      }
    },
  };

  class Exercise {
    constructor(root, number) {
      this.tasks = [...root.querySelectorAll(".kl-task")];
      this.python = root.querySelector(".kl-python");
      const work = document.createElement("div");
      work.className = "kl-work";
      work.innerHTML = WORK;
      root.append(work);
      const find = (selector) => work.querySelector(selector);
      const reasons = root.querySelector(".kl-reasons");
      this.side = find(".kl-side");
      this.side.append(reasons);
      this.area = find("textarea");
      this.gutter = find(".kl-gutter");
      this.meter = find("meter");
      this.points = find(".kl-score > span");
      this.said = find(".kl-said");
      this.verdict = find(".kl-verdict");
      this.said.before(this.python);
      this.area.id = `kl-text-${number}`;
      find("label").htmlFor = this.area.id;
      this.wire(work);
      this.offerReasons(reasons);
      if (this.tasks.length > 1) root.prepend(this.menu(number));
      this.tasks.forEach(oneHintAtATime);
      this.choose(this.fromAddress() ?? this.tasks[0]);
    }

    wire(work) {
      this.area.addEventListener("input", () => this.typed());
      this.area.addEventListener("scroll", () => this.follow());
      this.area.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        this.check(true);
      });
      work.addEventListener("click", ({ target }) => {
        const action = target.closest("[data-do]")?.dataset.do;
        if (action === "check") this.check(true);
        else if (action) this[action]();
      });
      document.addEventListener("kernellab-python", ({ detail }) => {
        if (detail.state === "ready") this.check(false);
      });
      addEventListener("hashchange", () => {
        const task = this.fromAddress();
        if (task) this.choose(task);
      });
    }

    // --- which exercise ---------------------------------------------------------------

    menu(number) {
      const select = document.createElement("select");
      select.id = `kl-menu-${number}`;
      let group = null;
      for (const task of this.tasks) {
        const { title, points, sheet, question } = task.dataset;
        if (group?.label !== sheet || task === this.tasks[0]) {
          group = document.createElement("optgroup");
          group.label = sheet;
          select.append(group);
        }
        group.append(new Option(`${title} (${points})`, question));
      }
      select.addEventListener("change", () => {
        history.replaceState(null, "", `#try-${select.value}`);
        this.choose(this.tasks.find((task) => task.dataset.question === select.value));
      });
      this.select = select;
      const label = document.createElement("label");
      label.className = "kl-menu";
      label.append("Exercise ", select);
      return label;
    }

    fromAddress() {
      const id = decodeURIComponent(location.hash.slice(1));
      return this.tasks.find((task) => task.id === id);
    }

    choose(task) {
      this.task = task;
      this.id = task.dataset.question;
      for (const other of this.tasks) other.hidden = other !== task;
      for (const other of this.side.querySelectorAll(".kl-givens"))
        document.getElementById(other.dataset.home).append(other);
      const givens = task.querySelector(".kl-givens");
      givens.dataset.home = task.id;
      this.side.prepend(givens);
      if (this.select) this.select.value = this.id;
      this.area.value = storage.get(this.key);
      this.meter.max = Number(task.dataset.points);
      this.forget();
      this.grow();
      this.check(false);
    }

    get key() {
      return `kernellab-answer-${this.id}`;
    }

    // --- writing ----------------------------------------------------------------------

    typed() {
      storage.set(this.key, this.area.value);
      this.say("");
      this.gutter.classList.add("kl-stale");
      this.grow();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.check(false), PAUSE);
    }

    grow() {
      const rows = this.area.value.split("\n");
      this.area.rows = Math.min(Math.max(rows.length + 1, 8), 30);
      let number = 0;
      const lines = rows.map((row) => (isStep(row) ? String(++number) : ""));
      while (this.gutter.children.length > lines.length) this.gutter.lastChild.remove();
      while (this.gutter.children.length < lines.length)
        this.gutter.append(document.createElement("div"));
      lines.forEach((text, row) => {
        const line = this.gutter.children[row];
        line.dataset.number = text;
        if (!text) line.dataset.status = "";
      });
      this.follow();
    }

    follow() {
      this.gutter.scrollTop = this.area.scrollTop;
    }

    offerReasons(list) {
      if (matchMedia("(min-width: 60rem)").matches) list.open = true;
      for (const code of list.querySelectorAll("code")) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "kl-reason";
        button.title = "Write it at the end of the line";
        button.textContent = code.textContent;
        button.addEventListener("click", () => this.insert(button.textContent));
        code.replaceWith(button);
      }
    }

    // At the end of the line in which the cursor is, behind the bar.
    insert(reason) {
      const { area } = this;
      const text = area.value;
      const from = text.lastIndexOf("\n", area.selectionStart - 1) + 1;
      const to = (text.indexOf("\n", from) + 1 || text.length + 1) - 1;
      const line = text.slice(from, to).trimEnd();
      const mark = !line.includes("|") ? " | " : line.endsWith("|") ? " " : "; ";
      area.focus();
      area.setSelectionRange(from + line.length, to);
      area.setRangeText(mark + reason, from + line.length, to, "end");
      this.typed();
    }

    // --- judging ----------------------------------------------------------------------

    // A line that is being written, and has no reason yet, is not judged before its time.
    finished() {
      const rows = this.area.value.split("\n");
      const before = this.area.value.slice(0, this.area.selectionStart);
      const at = before.split("\n").length - 1;
      if (document.activeElement === this.area && !rows[at].includes("|")) rows[at] = "";
      return rows.join("\n");
    }

    async check(asked) {
      clearTimeout(this.timer);
      const python = window.kernellabPython;
      const { id } = this;
      const text = asked ? this.area.value : this.finished();
      if (!text.split("\n").some(isStep)) {
        this.forget();
        if (asked) this.say("There is no line to check yet.");
        return;
      }
      if (python?.state !== "ready" && python?.state !== "loading") {
        if (asked) this.say(whyNot(python));
        return;
      }
      if (asked) this.say(python.state === "ready" ? "Checking …" : "Python is starting …");
      this.verdict.ariaBusy = "true";
      try {
        const found = await python.call("judge", [id, text]);
        if (id === this.id) this.show(found, asked);
      } catch (error) {
        if (asked) this.say("");
        this.verdict.replaceChildren(python.errorElement(error));
      }
      this.verdict.ariaBusy = "false";
    }

    show(found, asked) {
      this.meter.value = found.points;
      this.points.textContent = `${found.points} of ${found.out_of} points`;
      this.verdict.innerHTML = found.html; // made by the grader, which escapes all text
      if (!found.html) this.verdict.textContent = found.summary;
      this.gutter.classList.remove("kl-stale");
      const lines = [...this.gutter.children];
      for (const line of lines) line.dataset.status = line.dataset.mark = "";
      for (const { row, status, number } of found.lines) {
        if (!lines[row]) continue;
        lines[row].dataset.status = status;
        lines[row].dataset.mark = MARKS[status] ?? "";
        lines[row].classList.toggle("kl-first", number === found.first_bad);
      }
      const news = found.status !== this.status;
      this.status = found.status;
      if (asked || (news && found.status === "right")) this.say(sentence(found), true);
    }

    // What the report shows too is only for those who hear the page.
    say(text, heard = false) {
      this.said.textContent = text;
      this.said.classList.toggle("kl-unseen", heard);
    }

    forget() {
      this.status = "";
      this.meter.value = 0;
      this.points.textContent = `${this.task.dataset.points} points`;
      this.verdict.replaceChildren();
      this.say("");
      this.gutter.replaceChildren();
      this.grow();
    }

    // --- taking it away ---------------------------------------------------------------

    get cell() {
      return `%%answer ${this.id}\n${this.area.value.trimEnd()}`;
    }

    async copy() {
      try {
        await navigator.clipboard.writeText(this.cell);
        this.say("Copied, as the cell of a notebook.");
      } catch {
        this.area.select();
        this.say("The browser does not allow it: the text is selected, copy it yourself.");
      }
    }

    download() {
      const blob = new Blob([JSON.stringify(notebook(this.id, this.cell), null, 1) + "\n"]);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${this.id}.ipynb`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      this.say(`${link.download} is a notebook with your answer in it.`);
    }

    again() {
      if (!this.area.value) return;
      if (!confirm("Remove all that you have written for this exercise?")) return;
      this.area.value = "";
      this.typed();
      this.forget();
    }
  }

  function whyNot(python) {
    if (python?.available)
      return "The grader is a Python program: press “Run Python here” to start it.";
    return python?.reason ?? "The scripts of this page were not loaded.";
  }

  function isStep(row) {
    const text = row.trim();
    return text !== "" && !text.startsWith("#");
  }

  function sentence({ summary, first_bad: first, lines }) {
    const words = lines.find((line) => line.number === first)?.message ?? "";
    const message = words.replaceAll("`", ""); // which mark formulas for the report
    const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
    return `${capital(summary)}. ${capital(message)}`.trim();
  }

  function oneHintAtATime(task) {
    const hints = [...task.querySelectorAll(".kl-hint")];
    hints.forEach((hint, i) => {
      hint.hidden = i > 0;
      hint.addEventListener("toggle", () => {
        if (hint.open && hints[i + 1]) hints[i + 1].hidden = false;
      });
    });
  }

  // As the sheets' notebooks are: a cell that makes %%answer known, and the answer.
  function notebook(id, cell) {
    const code = (name, source) => ({
      cell_type: "code",
      execution_count: null,
      id: name,
      metadata: {},
      outputs: [],
      source: source.split(/(?<=\n)/),
    });
    const setup = "%load_ext kernellab.grading";
    return {
      cells: [code("setup", setup), code(`a-${id}`, cell)],
      metadata: {
        kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
        language_info: { name: "python" },
      },
      nbformat: 4,
      nbformat_minor: 5,
    };
  }

  document.querySelectorAll(".kl-exercise").forEach((root, i) => new Exercise(root, i));
})();
