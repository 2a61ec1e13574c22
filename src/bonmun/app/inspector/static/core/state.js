// The one state of the screen, by name; whoever shows a value subscribes to it.
//
// page      what was opened: name, blocks, units, leaves, frame, methods      pageNumber  its number on the shelf
// blocks    page.blocks                                                       pages       {count, pages}: the shelf
// method    the name of the method                                            answer      what it says
// other     the name of the method that it is compared with, or ""            otherAnswer what that says, or null
// selected  the row of the block that is chosen, or -1                        hovered     the one under the pointer, or -1
// matches   rows of blocks that a search found                                marked      rows that a panel points at
// agreement word F1 between both methods, or null                             tab         the panel that is shown
// labels    a person's label of each block, or null where nobody labels       moreMethods {name, says}: added to the page's

const values = {
  page: null, pageNumber: -1, blocks: [], pages: { count: 0, pages: [] },
  method: "auto", answer: null, other: "", otherAnswer: null, agreement: null,
  selected: -1, hovered: -1, matches: [], marked: [], tab: "result", labels: null, moreMethods: [],
};
const listeners = new Map();

/** What a value is now. */
export function read(name) {
  return values[name];
}

/** Change a value; those who subscribed to it are told at once, unless it is the same. */
export function set(name, value) {
  const before = values[name];
  if (before === value) return;
  values[name] = value;
  for (const listener of listeners.get(name) ?? []) listener(value, before);
}

/** Call a function with the new and the old value whenever a value changes; gives what ends that. */
export function subscribe(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
  return () => listeners.get(name).delete(listener);
}
