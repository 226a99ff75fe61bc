// What is wider than its place can be reached and moved with the keyboard, and says on
// which sides it goes on: formulas, tables, code.

(() => {
  const NAMES = {
    ".kl-formula, .math.kl-long": "Formula",
    ".pst-scrollable-table-container, .cell_output > .output": "Table",
    pre: "Code",
  };
  const BOXES = Object.keys(NAMES).join();

  const mark = (box) => {
    const hidden = box.scrollWidth - box.clientWidth;
    if (hidden <= 1) {
      for (const name of ["data-scrolls", "tabindex", "role", "aria-label"])
        box.removeAttribute(name);
      return;
    }
    const sides = [];
    if (box.scrollLeft > 1) sides.push("before");
    if (box.scrollLeft < hidden - 1) sides.push("after");
    box.dataset.scrolls = sides.join(" ");
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    const kind = Object.keys(NAMES).find((selector) => box.matches(selector));
    box.setAttribute("aria-label", `${NAMES[kind]} that scrolls`);
  };

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(target);
  });
  const watch = (part) => {
    for (const box of part.querySelectorAll(BOXES)) sizes.observe(box);
  };
  const main = document.getElementById("main-content");
  const moved = ({ target }) => target.matches(BOXES) && mark(target);
  main.addEventListener("scroll", moved, { capture: true, passive: true });
  watch(main);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.querySelectorAll) watch(node);
  }).observe(main, { subtree: true, childList: true });
})();
