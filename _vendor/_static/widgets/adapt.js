// Fit the vendored widgets into the page. This file is the course's own.

// The widgets look for their fonts where require.js looks for packages: here.
require.config({ baseUrl: new URL(".", document.currentScript.src).href });

// They speak to MathJax 2, and the page has MathJax 3, which knows no Hub.
addEventListener("load", () => {
  if (window.MathJax) window.MathJax.Hub ??= { Queue() {} };
});

// A slider's handle bears the name of its slider; a picture says what it belongs to.
new MutationObserver(() => {
  for (const picture of document.querySelectorAll(".jupyter-widgets img:not([alt])")) {
    picture.alt = "The figure for the values chosen above";
  }
  for (const handle of document.querySelectorAll(".noUi-handle:not([aria-label])")) {
    const label = handle.closest(".jupyter-widgets")?.querySelector("label, .widget-label");
    handle.setAttribute("aria-label", label?.textContent || "slider");
  }
}).observe(document.documentElement, { childList: true, subtree: true });
