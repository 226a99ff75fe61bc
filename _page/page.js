// Paper is light, whatever the screen is.
{
  const page = document.documentElement.dataset;
  let onScreen;
  addEventListener("beforeprint", () => {
    onScreen = page.theme;
    page.theme = "light";
  });
  addEventListener("afterprint", () => (page.theme = onScreen));
}

// A menu over the article closes when the reader turns to something else.

for (const kind of ["click", "keydown", "focusin"])
  document.addEventListener(kind, (event) => {
    if (kind === "keydown" && event.key !== "Escape") return;
    for (const menu of document.querySelectorAll(".kl-menu[open]"))
      if (kind === "keydown" || !menu.contains(event.target)) menu.open = false;
  });
