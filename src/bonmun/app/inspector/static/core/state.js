// The state of the inspector: values by name, with subscriptions.
//
// page      the open page: name, blocks, units, leaves, frame, methods       pageNumber  its number
// blocks    page.blocks                                                       pages       {count, pages}: all open pages
// method    name of the method                                                answer      its answer
// other     name of the method to compare with, or ""                         otherAnswer its answer, or null
// selected  row of the selected block, or -1                                  hovered     row under the pointer, or -1
// matches   rows that match the search                                        marked      rows that a panel points at
// agreement word F1 between both methods, or null                             tab         name of the open panel
// labels    a person's label of each block, or null without labelling         moreMethods {name, says}, besides the page's
// shown     what the result, the card and the strip show: the answer, or the result of the labels while labelling
// labelResult outputs, words and facts of the labels, or null                   links, images  in Markdown; true or false
// leaf      leaf on which the selected block was clicked, or -1
// siteModel whether answers use the site model of the open pages, if there is one   siteCounts  whether the page shows counts

const values = {
  page: null, pageNumber: -1, blocks: [], pages: { count: 0, pages: [] },
  method: "auto", answer: null, other: "", otherAnswer: null, agreement: null,
  selected: -1, hovered: -1, matches: [], marked: [], tab: "result", labels: null, moreMethods: [], leaf: -1,
  shown: null, labelResult: null, links: true, images: true, siteModel: true, siteCounts: false,
};
const listeners = new Map();

/** Return a value. */
export function read(name) {
  return values[name];
}

/** Set a value; subscribers are called at once if it has changed. */
export function set(name, value) {
  const before = values[name];
  if (before === value) return;
  values[name] = value;
  for (const listener of listeners.get(name) ?? []) listener(value, before);
}

/** Call a function with the new and the old value whenever a value changes; returns a function that unsubscribes. */
export function subscribe(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
  return () => listeners.get(name).delete(listener);
}
