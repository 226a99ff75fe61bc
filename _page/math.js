// What is copied has formulas as TeX, whole ones even if half selected.

(() => {
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
