// Keyboard shortcuts. `?` shows all of them.

const bound = new Map();

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
  if (isTyping(event.target) && event.key !== "Escape") return;
  const found = bound.get(event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : event.key);
  if (!found) return;
  if ((event.key === "Enter" || event.key === " ") && isControl(event.target)) return;
  if (found.action(event) !== false) event.preventDefault();
}

function isTyping(target) {
  return Boolean(target?.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]"));
}

function isControl(target) {
  return Boolean(target?.closest?.("button, a[href], summary, input, [role=tab], [role=option]"));
}

/** Listen to key events of this page. */
export function listenToKeys() {
  document.addEventListener("keydown", handleKey);
}
