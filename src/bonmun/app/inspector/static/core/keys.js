// Keyboard shortcuts. `?` shows all of them.

const CONTROLS = "button, a[href], summary, input, [role=tab], [role=option]";
const bound = new Map();
let clicked = null; // the control that was clicked last, while it has the focus

/** Bind a key to an action; `says` is its description in the help, `shown` how the key is written there. */
export function bind(key, says, action, shown = key) {
  bound.set(key, { key, says, action, shown });
}

/** Move the action of a key to another key. */
export function moveKey(key, other) {
  const found = bound.get(key);
  if (!found) return;
  bound.delete(key);
  bound.set(other, { ...found, key: other, shown: other });
}

/** Return the keys that the help shows, in the order they were bound. */
export function listKeys() {
  return [...bound.values()].filter((each) => each.says);
}

/** Run the action of a key; for key events of this page and of the frame. */
export function handleKey(event) {
  if (event.defaultPrevented || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
  const isEnter = event.key === "Enter";
  if (isTyping(event.target) && event.key !== "Escape" && !(isEnter && event.target.closest("select"))) return;
  const found = bound.get(event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : event.key);
  if (!found) return;
  if ((isEnter || event.key === " ") && isControl(event.target)) return;
  if (found.action(event) !== false) event.preventDefault();
}

function isTyping(target) {
  return Boolean(target?.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]"));
}

/** Return whether a key is meant for a control: not if it was reached by a click, or is the tab that is open anyway. */
function isControl(target) {
  const control = target?.closest?.(CONTROLS);
  return Boolean(control) && control !== clicked && control.getAttribute("aria-selected") !== "true";
}

/** Listen to key events of this page. */
export function listenToKeys() {
  document.addEventListener("keydown", handleKey);
  document.addEventListener("pointerdown", (event) => { clicked = event.target.closest?.(CONTROLS) ?? null; });
  document.addEventListener("focusin", (event) => { if (event.target !== clicked) clicked = null; });
}
