// A field above the map of the sources: shows the rows that contain all of its words.
"use strict";

(() => {
  const rows = [...document.querySelectorAll("table.kl-sources tbody tr")].map((row) => ({
    row,
    text: plain(row.textContent),
  }));
  const label = document.createElement("label");
  label.className = "kl-filter";
  const input = Object.assign(document.createElement("input"), { type: "search" });
  const found = Object.assign(document.createElement("output"), { role: "status" });
  label.append("Show rows with ", input, " ", found);
  document.querySelector("table.kl-sources").closest("section").before(label);

  // Without accents, and without regard to capitals: "nystrom" finds Nyström.
  function plain(text) {
    return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function filter() {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    found.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  }

  input.addEventListener("input", filter);
})();
