// The pages of a site, those that differ from the others first, each with the reason. Choosing one opens it.

import { formatCount, formatNumber, make } from "../core/dom.js";
import { read } from "../core/state.js";
import { say, word } from "../core/strings.js";
import { makeList } from "../panels/list.js";

const HEIGHT = 50; // row height in pixels
const MAX_VISIBLE_ROWS = 6.5; // half a row says that there are more

/** Return the sentence of a reason. */
function writeReason({ name, values }) {
  const written = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, writeValue(name, key, value)]));
  return say(`siteReason${name[0].toUpperCase()}${name.slice(1)}`, written);
}

function writeValue(name, key, value) {
  if (key === "confidence") return formatNumber(value);
  if (name === "kind") return word(value);
  return typeof value === "number" ? formatCount(value) : value;
}

function writeFigures(row) {
  const parts = row.layout >= 0 && row.layout !== null ? [say("siteLayout", { number: row.layout + 1 })] : [];
  if (row.kind !== undefined) {
    parts.push(word(row.kind));
    if (!row.reasons.some(({ name }) => name === "confidence")) parts.push(formatNumber(row.confidence));
    parts.push(row.words === 1 ? say("siteOneWord") : say("siteWords", { count: formatCount(row.words) }));
  }
  return parts.join(" · ");
}

function fillRow(row) {
  const reasons = row.reasons.map(writeReason).join(" · ");
  const figures = writeFigures(row);
  return [
    make("span", { class: "text names", title: `${row.title}\n${row.name}` }, row.title ? make("bdi", { class: "title" }, row.title) : null,
      make("bdi", { class: row.title ? "quiet" : "" }, row.name)),
    make("span", { class: "below" }, reasons ? make("span", { class: "reason", dir: "auto", title: reasons }, reasons) : null,
      make("span", { class: "figures", title: figures }, figures)),
  ];
}

function sayHead(layout) {
  if (layout === null) return say("siteOrder");
  return layout < 0 ? say("siteOrderUnlike") : say("siteOrderOf", { number: layout + 1 });
}

/** Return the parts of the panel about pages, and a function that marks the open page. */
export function drawPages(site, layout, open) {
  const rows = layout === null ? site.rows : site.rows.filter((row) => row.layout === layout);
  const list = makeList({
    count: rows.length,
    height: HEIGHT,
    label: sayHead(layout),
    name: "site-page",
    onEnter: true,
    isChosen: (at) => rows[at].number === read("pageNumber"),
    look: (at) => (rows[at].reasons.length ? "unusual" : ""),
    choose: (at) => open(rows[at].number),
    fill: (at) => fillRow(rows[at]),
  });
  list.element.id = "site-pages";
  list.element.style.height = `${Math.min(rows.length, MAX_VISIBLE_ROWS) * HEIGHT + 2}px`;
  return { parts: [make("h2", {}, sayHead(layout)), list.element], refresh: list.refresh };
}
