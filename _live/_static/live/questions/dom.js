// Small helpers to build elements.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function button(text, click, attributes = {}) {
  return make(
    "button",
    { type: "button", class: "kl-button kl-quiet", click, ...attributes },
    text,
  );
}

// HTML that this site was built with, or that the grader wrote (it escapes all text).
export function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

let count = 0;

export function freshId(name) {
  return `kl-${name}-${++count}`;
}

// Where the site begins: this file lies in _static/live/questions/.
export const ROOT = new URL("../../../", import.meta.url);

export async function load(name) {
  const response = await fetch(new URL(`_static/questions/${name}`, ROOT));
  if (!response.ok) throw new Error(`${name} is not on this site`);
  return response.json();
}

export function number(value) {
  return String(Math.round(value * 100) / 100);
}

export function points(count) {
  return `${number(count)} ${count === 1 ? "point" : "points"}`;
}
