// Formulas as things to scroll and to copy. Both work on what is in the page already.

(() => {
  // A formula that is wider than its place can be reached and moved with the keyboard,
  // and says on which sides it goes on.
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
    box.setAttribute("aria-label", "Formula that scrolls");
  };

  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(target);
  });
  for (const box of document.querySelectorAll(".kl-formula, .math.kl-long")) {
    watch.observe(box);
    box.addEventListener("scroll", () => mark(box), { passive: true });
  }

  // What is copied has formulas as TeX, whole ones even if half selected.
  const whole = (range) => {
    const formulaAt = (node) =>
      (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement).closest("math");
    const [first, last] = [range.startContainer, range.endContainer].map(formulaAt);
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    return range;
  };

  const withTeX = (fragment) => {
    for (const math of fragment.querySelectorAll("math[alttext]")) {
      const display = math.getAttribute("display") === "block";
      const mark = display ? "$$" : "$";
      math.replaceWith(mark + math.getAttribute("alttext") + mark);
    }
    const page = document.createElement("div");
    page.style.cssText = "position: fixed; left: -100vw";
    page.append(fragment);
    document.body.append(page); // only what is laid out has lines
    const text = page.innerText;
    page.remove();
    return text.replace(/\n{3,}/g, "\n\n").trim();
  };

  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (selection.isCollapsed || event.target.closest?.("input, textarea")) return;
    const copied = whole(selection.getRangeAt(0).cloneRange()).cloneContents();
    if (!copied.querySelector("math[alttext]")) return;
    const markup = document.createElement("div");
    markup.append(copied.cloneNode(true));
    event.clipboardData.setData("text/html", markup.innerHTML);
    event.clipboardData.setData("text/plain", withTeX(copied));
    event.preventDefault();
  });
})();
