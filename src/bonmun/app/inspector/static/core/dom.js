// DOM helpers: create and find elements, announce messages, copy text, format numbers.

const PATH_STEPS = 5; // last steps of a path that are shown

/** Create an element: `make("p", {class: "quiet", onclick: f}, "text", child)`. Text is never parsed as markup. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return the element with an id. */
export function find(id) {
  return document.getElementById(id);
}

/** Redraw a part of the screen. The focus of the keyboard stays on the control at the same place. */
export function keepFocus(place, redraw) {
  const list = () => [...place.querySelectorAll("button:not([hidden]), [tabindex]")];
  const at = document.activeElement?.matches(":focus-visible") ? list().indexOf(document.activeElement) : -1;
  redraw();
  const controls = list();
  if (at >= 0 && !controls.includes(document.activeElement)) controls[Math.min(at, controls.length - 1)]?.focus({ preventScroll: true });
}

/** Show a message for a moment, and announce it to screen readers. */
export function announce(message) {
  const place = find("status");
  place.textContent = message;
  place.classList.add("shown");
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => place.classList.remove("shown"), 2500);
}

/** Copy a text to the clipboard, also on a page opened as a file. */
export async function copy(text, says) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce(says);
}

/** Format 0.934 as "0.93". */
export function formatNumber(number, digits = 2) {
  return typeof number === "number" ? number.toFixed(digits) : "–";
}

/** Format 12345 as "12,345". */
export function formatCount(number) {
  return number.toLocaleString("en-US");
}

/** Return the last steps of a path. */
export function shortenPath(path) {
  const steps = path.split("/");
  return steps.length > PATH_STEPS ? `…/${steps.slice(-PATH_STEPS).join("/")}` : path;
}
