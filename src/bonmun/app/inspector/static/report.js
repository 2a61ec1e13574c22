// The table of a report: pages by site, sorted by any column, filtered by words, kind and confidence.

import { find, formatCount, formatNumber, make } from "./core/dom.js";
import { addStrings, fillStrings, say, word } from "./core/strings.js";
import { startTheme } from "./core/theme.js";
import { ENGLISH, KOREAN } from "./report/strings.js";
import { drawStrip } from "./report/strip.js";

const STEP = 300; // rows drawn at a time
const MAX_OPEN = 100; // pages; sites start closed if there are more
const COLUMNS = [
  { name: "name", says: "reportPage", sort: (row) => row.name.toLowerCase() },
  { name: "title", says: "reportTitle", sort: (row) => (row.title ?? "").toLowerCase() },
  { name: "kind", says: "reportKind", sort: (row) => row.kind ?? "~" },
  { name: "confidence", says: "confidence", sort: (row) => row.confidence ?? -1, number: true, write: (value) => formatNumber(value) },
  { name: "words", says: "reportWords", sort: (row) => row.words ?? -1, number: true, write: formatCount },
  { name: "share", says: "reportKept", sort: (row) => row.share ?? -1, number: true, write: (value) => `${Math.round(value * 100)} %` },
  { name: "strip", says: "reportStrip" },
];
const NUMBERS = COLUMNS.filter((column) => column.number);
const { rows, methods } = JSON.parse(find("data").textContent);
const siteOf = (row) => row.site ?? "";
const siteCount = new Set(rows.map(siteOf)).size;
const switched = new Map(); // whether a site is open, if the user has chosen
let order = { name: "", down: false };
let shown = STEP;
let found = rows;

function drawRow(row) {
  const name = row.file ? make("a", { href: `pages/${row.file}.html` }, row.name) : row.name;
  const head = make("th", { scope: "row", dir: "auto", title: row.name }, name);
  if (row.problem) return make("tr", { class: "problem" }, head, make("td", { colspan: COLUMNS.length - 1 }, row.problem));
  if (!row.file) head.append(make("span", { class: "quiet" }, ` ${say("reportTooLarge")}`));
  return make("tr", {}, head,
    make("td", { dir: "auto", lang: row.language || null, class: "title", title: row.title }, row.title ?? ""),
    make("td", {}, word(row.kind)),
    ...NUMBERS.map((column) => drawNumber(column, row[column.name])),
    make("td", {}, drawStrip(row.strip)));
}

function drawNumber(column, value) {
  return make("td", { class: "number", "data-says": say(column.says) }, value === null ? "–" : column.write(value));
}

/** Return the figures of a site: mean confidence and share, and all words; null if no page of it could be read. */
function summarise(held) {
  const good = held.filter((row) => !row.problem);
  const sum = (name) => good.reduce((total, row) => total + row[name], 0);
  if (!good.length) return { confidence: null, words: null, share: null };
  return { confidence: sum("confidence") / good.length, words: sum("words"), share: sum("share") / good.length };
}

function isOpen(site) {
  return switched.get(site) ?? found.length <= MAX_OPEN;
}

/** Draw the row of a site, which opens and closes its pages. */
function drawSite({ site, held, figures }) {
  const failed = held.filter((row) => row.problem).length;
  const count = held.length === 1 ? say("reportOnePage") : say("reportPages", { count: formatCount(held.length) });
  const button = make("button", { "aria-expanded": String(isOpen(site)), "data-site": site, onclick: () => switchSite(site) },
    make("span", { class: "turn", "aria-hidden": "true" }, isOpen(site) ? "▾ " : "▸ "), site || say("reportNoSite"));
  return make("tr", { class: "site" },
    make("th", { scope: "rowgroup", colspan: 3 }, button, " ", make("span", { class: "quiet" }, count, failed ? `, ${failed} ${say("reportFailed")}` : "")),
    ...NUMBERS.map((column) => drawNumber(column, figures[column.name])), make("td", { class: "rest" }));
}

function switchSite(site) {
  switched.set(site, !isOpen(site));
  draw();
  [...document.querySelectorAll("[data-site]")].find((each) => each.dataset.site === site)?.focus();
}

/** Return the pages that are shown by site, sorted like the pages. */
function groupRows() {
  const sites = new Map();
  for (const row of found) {
    if (!sites.has(siteOf(row))) sites.set(siteOf(row), []);
    sites.get(siteOf(row)).push(row);
  }
  const groups = [...sites].map(([site, held]) => ({ site, held, figures: summarise(held) }));
  const column = NUMBERS.find((each) => each.name === order.name);
  return sortBy(groups, column ? (group) => group.figures[column.name] ?? -1 : (group) => group.site || "\uffff"); // pages without a site come last
}

function sortBy(list, read) {
  const turn = order.down ? -1 : 1;
  return [...list].sort((one, other) => {
    const [a, b] = [read(one), read(other)];
    return a < b ? -turn : a > b ? turn : 0;
  });
}

/** Draw the first rows of the table; the rows of sites count, too. */
function draw() {
  let room = shown;
  const bodies = [];
  const groups = find("by-site").checked ? groupRows() : [{ site: null, held: found }];
  let total = 0;
  for (const group of groups) {
    const held = group.site === null || isOpen(group.site) ? group.held : [];
    total += held.length + (group.site === null ? 0 : 1);
    if (room <= 0) continue;
    const lines = group.site === null ? [] : [drawSite(group)];
    lines.push(...held.slice(0, Math.max(room - lines.length, 0)).map(drawRow));
    room -= lines.length;
    bodies.push(make("tbody", {}, ...lines));
  }
  find("rows").replaceChildren(find("heads").parentElement, ...bodies);
  find("more").hidden = total <= shown;
  const count = { found: formatCount(found.length), pages: formatCount(rows.length) };
  find("status").textContent = !found.length ? say("reportNone") : found.length === rows.length ? "" : say("reportFound", count);
}

function choose() {
  const words = find("filter").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const kind = find("kind").value;
  const below = Number(find("below").value) / 100;
  find("below-shown").textContent = formatNumber(below);
  found = rows.filter((row) => {
    const searched = `${row.name} ${row.title ?? ""} ${row.url ?? ""} ${row.problem ?? ""}`.toLowerCase();
    return words.every((each) => searched.includes(each)) && (!kind || row.kind === kind || (kind === "!" && row.problem)) &&
      (below === 1 || row.confidence < below);
  });
  const column = COLUMNS.find((each) => each.name === order.name);
  if (column?.sort) found = sortBy(found, column.sort);
  shown = STEP;
  draw();
}

function drawHeads() {
  find("heads").replaceChildren(...COLUMNS.map((column) => {
    const sorted = order.name === column.name ? (order.down ? "descending" : "ascending") : null;
    const head = column.sort
      ? make("button", { onclick: () => orderBy(column) }, say(column.says), make("span", { "aria-hidden": "true" }, { ascending: " ↑", descending: " ↓" }[sorted] ?? ""))
      : say(column.says);
    return make("th", { scope: "col", "aria-sort": sorted, class: column.number ? "number" : "" }, head);
  }));
}

function orderBy(column) {
  order = { name: column.name, down: order.name === column.name ? !order.down : Boolean(column.number) && column.name !== "confidence" };
  const at = COLUMNS.indexOf(column);
  drawHeads();
  choose();
  find("heads").children[at].querySelector("button").focus();
}

function start() {
  addStrings(ENGLISH, KOREAN);
  fillStrings(document);
  startTheme();
  const good = rows.filter((row) => !row.problem);
  const failed = rows.length - good.length;
  find("about").textContent = say("reportAbout", {
    pages: formatCount(rows.length), sites: formatCount(siteCount), failed: formatCount(failed),
    confidence: formatNumber(summarise(rows).confidence), methods: methods.join(", "),
  });
  const kinds = [...new Set(good.map((row) => row.kind))].sort();
  find("kind").append(make("option", { value: "" }, say("reportAll")), ...kinds.map((kind) => make("option", { value: kind }, word(kind))),
    ...(failed ? [make("option", { value: "!" }, say("reportFailed"))] : []));
  find("by-site").closest("label").hidden = siteCount < 2;
  find("by-site").checked = siteCount > 1 && siteCount <= rows.length / 2;
  for (const name of ["filter", "below"]) find(name).addEventListener("input", choose);
  for (const name of ["kind", "by-site"]) find(name).addEventListener("change", choose);
  find("more").addEventListener("click", () => { shown += STEP; draw(); });
  drawHeads();
  draw();
}

start();
