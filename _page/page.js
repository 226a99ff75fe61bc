// What surrounds the text: light and dark, the search, side bars, menus, and paper.

(() => {
  const page = document.documentElement.dataset;
  const all = (selector) => document.querySelectorAll(selector);
  const outside = (box, { clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    return x < left || right < x || y < top || bottom < y;
  };

  // ---- light and dark: as the system is, or as was chosen; the layout begins with it --

  const night = matchMedia("(prefers-color-scheme: dark)");
  const show = (mode) => {
    const theme = mode === "auto" ? (night.matches ? "dark" : "light") : mode;
    Object.assign(page, { mode, theme });
  };
  night.addEventListener("change", () => show(page.mode));
  for (const button of all(".theme-switch-button"))
    button.addEventListener("click", () => {
      const modes = ["auto", ...(night.matches ? ["light", "dark"] : ["dark", "light"])];
      show(modes[(modes.indexOf(page.mode) + 1) % modes.length]);
      try {
        localStorage.setItem("mode", page.mode);
      } catch {} // a browser that keeps nothing
    });

  // ---- the search: its own page has a field, the others a dialog ----------------------

  const dialog = document.getElementById("pst-search-dialog");
  const search = () => {
    const field = document.querySelector(".kl-search input");
    if (field) field.select();
    else if (dialog.open) dialog.close();
    else dialog.showModal();
  };
  for (const button of all(".search-button__button"))
    button.addEventListener("click", search);
  dialog.addEventListener("click", (event) => {
    if (outside(dialog, event)) dialog.close();
  });
  addEventListener("keydown", (event) => {
    const { ctrlKey, metaKey, shiftKey, altKey } = event;
    if (event.key.toLowerCase() !== "k" || ctrlKey === metaKey || shiftKey || altKey) return;
    event.preventDefault();
    search();
  });

  // ---- side bars: on narrow screens they are drawers ----------------------------------

  const move = (from, to) => {
    to.append(...from.childNodes);
    [from.className, to.className] = [to.className, from.className];
  };
  for (const side of ["primary", "secondary"]) {
    const bar = document.getElementById(`pst-${side}-sidebar`);
    const drawer = document.getElementById(`pst-${side}-sidebar-modal`);
    const button = document.querySelector(`.${side}-toggle`);
    if (!bar || !drawer || !button) continue;
    button.addEventListener("click", () => {
      if (side === "primary" && matchMedia("(min-width: 992px)").matches)
        return bar.classList.toggle("pst-sidebar-hidden");
      move(bar, drawer);
      drawer.showModal();
    });
    drawer.addEventListener("click", (event) => {
      if (outside(drawer, event) || event.target.closest("a[href^='#']")) drawer.close();
    });
    drawer.addEventListener("close", () => move(drawer, bar));
  }

  // The list of pages stays where it was, and begins at this page.
  const PLACE = "sidebar-scroll-top";
  const pages = document.getElementById("pst-primary-sidebar");
  if (pages) {
    const top = (box) => box.getBoundingClientRect().top;
    const here = [...pages.querySelectorAll(".active")].at(-1);
    const kept = sessionStorage.getItem(PLACE);
    if (kept !== null) pages.scrollTop = kept;
    else if (here && top(here) > innerHeight / 2)
      pages.scrollTop = top(here) - top(pages) - pages.clientHeight / 4;
    addEventListener("pagehide", () => sessionStorage.setItem(PLACE, pages.scrollTop));
  }

  // The contents of the page mark the section that is read.
  const contents = document.getElementById("pst-page-toc-nav");
  if (contents) {
    const JUMP_MS = 1000; // so long, the section that was asked for stays marked
    let jumped = -JUMP_MS;
    const links = new Map();
    for (const link of contents.querySelectorAll("a[href^='#']")) {
      const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (section) links.set(section.querySelector("h1, h2, h3, h4, h5, h6") ?? section, link);
    }
    const mark = (current) => {
      for (const link of links.values()) {
        link.classList.toggle("active", link === current);
        link.ariaCurrent = link === current ? "true" : null;
      }
      for (const entry of contents.querySelectorAll(".toc-entry"))
        entry.classList.toggle("active", entry.contains(current));
    };
    const jump = () => {
      const link = [...links.values()].find(({ hash }) => hash === location.hash);
      if (!link) return;
      jumped = performance.now();
      mark(link);
    };
    const watch = new IntersectionObserver((seen) => {
      const last = seen.filter((entry) => entry.isIntersecting).at(-1);
      if (last && performance.now() > jumped + JUMP_MS) mark(links.get(last.target));
    }, { rootMargin: "0px 0px -70% 0px" });
    for (const heading of links.keys()) watch.observe(heading);
    addEventListener("hashchange", jump);
    jump();
  }

  // ---- the bar over the article -------------------------------------------------------

  new IntersectionObserver(([{ boundingClientRect }]) => {
    document.body.classList.toggle("scrolled", boundingClientRect.y < 0);
  }).observe(document.querySelector(".sbt-scroll-pixel-helper"));

  window.toggleFullScreen = () =>
    document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen();

  // A menu closes when the reader turns to something else.
  for (const kind of ["click", "keydown", "focusin"])
    document.addEventListener(kind, (event) => {
      if (kind === "keydown" && event.key !== "Escape") return;
      for (const menu of all(".kl-menu[open]"))
        if (kind === "keydown" || !menu.contains(event.target)) menu.open = false;
    });

  // ---- paper is light, whatever the screen is, and begins with the contents -----------

  let onScreen;
  addEventListener("beforeprint", () => {
    onScreen = page.theme;
    page.theme = "light";
    const list = contents?.querySelector("ul").cloneNode(true);
    document.querySelector("#jb-print-toc > nav")?.replaceChildren(list ?? "");
  });
  addEventListener("afterprint", () => (page.theme = onScreen));
})();
