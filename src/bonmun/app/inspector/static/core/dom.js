// Small helpers: elements made in one call, ids found, texts copied and said.

const PATH_STEPS = 5; // of a path that are shown, from its end

/** Make an element: `make("p", {class: "quiet", onclick: f}, "text", child)`. Text is never read as markup. */
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

/** The element with an id. */
export function find(id) {
  return document.getElementById(id);
}

/** Say something to those who listen with a screen reader, and show it for a moment. */
export function tell(message) {
  const place = find("status");
  place.textContent = message;
  place.classList.add("shown");
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => place.classList.remove("shown"), 2500);
}

/** Put a text on the clipboard, also where the page is a file. */
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
  tell(says);
}

/** 0.934 as "0.93". */
export function show(number, digits = 2) {
  return typeof number === "number" ? number.toFixed(digits) : "–";
}

/** 12345 as "12,345". */
export function count(number) {
  return number.toLocaleString("en-US");
}

/** The end of a path, which tells it from others. */
export function shortenPath(path) {
  const steps = path.split("/");
  return steps.length > PATH_STEPS ? `…/${steps.slice(-PATH_STEPS).join("/")}` : path;
}
