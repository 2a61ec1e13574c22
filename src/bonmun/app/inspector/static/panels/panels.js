// The panels beside the page. A panel is drawn when it is visible, and redrawn when its data has changed.

import { find, keepFocus } from "../core/dom.js";
import { read, subscribe } from "../core/state.js";
import { drawConfidence } from "./confidence.js";
import { drawMetadata } from "./metadata.js";
import { drawGroups } from "./groups.js";
import { drawLeaves } from "./leaves.js";
import { drawObjects } from "./objects.js";
import { drawMethods } from "./methods.js";
import { drawPath } from "./path.js";
import { drawResult } from "./result.js";

const PANELS = {
  result: drawResult, leaves: drawLeaves, groups: drawGroups, path: drawPath, metadata: drawMetadata, objects: drawObjects,
  methods: drawMethods, confidence: drawConfidence,
};
const OF_METHOD = new Set(["groups", "objects", "methods", "confidence"]); // not about labels
const stale = new Set(Object.keys(PANELS));

function drawOpen() {
  const name = read("tab");
  if (!stale.has(name) || !PANELS[name]) return;
  stale.delete(name);
  const answer = read(OF_METHOD.has(name) ? "answer" : "shown");
  const place = find(name);
  keepFocus(place, () => {
    place.replaceChildren();
    if (answer && read("page")) PANELS[name](place, answer, read("page"));
  });
}

function markStale() {
  for (const name of Object.keys(PANELS)) stale.add(name);
  requestAnimationFrame(drawOpen); // after the page is painted, and once for several changes
}

export function startPanels() {
  subscribe("shown", markStale);
  for (const name of ["otherAnswer", "agreement"]) {
    subscribe(name, () => { stale.add("methods"); requestAnimationFrame(drawOpen); });
  }
  subscribe("tab", drawOpen);
}
