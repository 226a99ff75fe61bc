// A menu over the article closes when the reader turns to something else.

for (const kind of ["click", "keydown", "focusin"])
  document.addEventListener(kind, (event) => {
    if (kind === "keydown" && event.key !== "Escape") return;
    for (const menu of document.querySelectorAll(".kl-menu[open]"))
      if (kind === "keydown" || !menu.contains(event.target)) menu.open = false;
  });
