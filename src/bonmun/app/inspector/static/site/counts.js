// Counts on the page: beside each visible block, on how many pages of the site its text is.

import { drawBadges, listen } from "../view/frame.js";
import { read, subscribe } from "../core/state.js";

let waiting = false;

function draw() {
  waiting = false;
  const site = read("siteCounts") ? read("answer")?.site : null;
  drawBadges(site ? (row) => (site.counts[row] > 1 ? String(site.counts[row]) : "") : null);
}

function refresh() {
  if (waiting || !read("siteCounts")) return;
  waiting = true;
  requestAnimationFrame(draw);
}

/** Draw the counts whenever they, or what is visible, may have changed. */
export function setCounts() {
  for (const name of ["answer", "siteCounts"]) subscribe(name, draw);
  for (const name of ["scroll", "painted"]) listen(name, refresh);
}
