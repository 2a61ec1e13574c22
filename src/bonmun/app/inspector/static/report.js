// The table of a report: sorted by any column, filtered by words, kind and confidence.

import { find, formatCount, formatNumber, make } from "./core/dom.js";
import { startTheme } from "./core/theme.js";

const STEP = 300; // rows drawn at a time
const COLUMNS = [
  { name: "name", says: "Page", sort: (row) => row.name.toLowerCase() },
  { name: "title", says: "Title", sort: (row) => (row.title ?? "").toLowerCase() },
  { name: "kind", says: "Kind", sort: (row) => row.kind ?? "~" },
  { name: "confidence", says: "Confidence", sort: (row) => row.confidence ?? -1, number: true },
  { name: "words", says: "Words", sort: (row) => row.words ?? -1, number: true },
  { name: "share", says: "Kept", sort: (row) => row.share ?? -1, number: true },
  { name: "strip", says: "Scores along the page" },
];
const { rows, methods } = JSON.parse(find("data").textContent);
let order = { name: "", down: false };
let shown = STEP;
let found = rows;

/** Draw the scores along a page as a small chart: up where blocks are kept, down where they are dropped. */
function drawStrip(cells) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const kept = cells.filter((cell) => cell > 0).length;
  picture.setAttribute("viewBox", `0 0 ${Math.max(cells.length, 1) * 3} 24`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${kept} of ${cells.length} parts kept`);
  picture.setAttribute("class", "strip");
  for (const look of ["kept", "dropped"]) {
    const path = document.createElementNS(space, "path");
    const lines = cells.map((cell, at) => {
      if ((cell > 0) !== (look === "kept")) return "";
      return look === "kept" ? `M${at * 3} 12v${-cell * 0.12}h2.4V12z` : `M${at * 3} 12v${-cell * 0.08}h2.4V12z`;
    });
    path.setAttribute("d", lines.join(""));
    path.setAttribute("class", look);
    picture.append(path);
  }
  return picture;
}

function drawRow(row) {
  if (row.problem) {
    return make("tr", { class: "problem" }, make("th", { scope: "row", dir: "auto" }, row.name),
      make("td", { colspan: COLUMNS.length - 1 }, row.problem));
  }
  return make("tr", {},
    make("th", { scope: "row", dir: "auto" }, make("a", { href: `pages/${row.file}.html` }, row.name)),
    make("td", { dir: "auto", lang: row.language || null, class: "title" }, row.title ?? ""),
    make("td", {}, row.kind),
    ...[["confidence", formatNumber(row.confidence)], ["words", formatCount(row.words)], ["share", `${Math.round(row.share * 100)} %`]]
      .map(([name, value]) => make("td", { class: "number", "data-says": COLUMNS.find((each) => each.name === name).says }, value)),
    make("td", {}, drawStrip(row.strip)));
}

function draw() {
  find("rows").replaceChildren(...found.slice(0, shown).map(drawRow));
  find("more").hidden = found.length <= shown;
  find("status").textContent = found.length === rows.length ? "" : `${formatCount(found.length)} of ${formatCount(rows.length)} pages`;
}

function choose() {
  const words = find("filter").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const kind = find("kind").value;
  const below = Number(find("below").value) / 100;
  find("below-shown").textContent = formatNumber(below);
  found = rows.filter((row) => {
    const searched = `${row.name} ${row.title ?? ""} ${row.url ?? ""} ${row.problem ?? ""}`.toLowerCase();
    return words.every((word) => searched.includes(word)) && (!kind || row.kind === kind || (kind === "!" && row.problem)) &&
      (below === 1 || row.confidence < below);
  });
  const column = COLUMNS.find((each) => each.name === order.name);
  if (column?.sort) {
    const turn = order.down ? -1 : 1;
    found = [...found].sort((one, other) => {
      const [a, b] = [column.sort(one), column.sort(other)];
      return a < b ? -turn : a > b ? turn : 0;
    });
  }
  shown = STEP;
  draw();
}

function drawHeads() {
  find("heads").replaceChildren(...COLUMNS.map((column) => {
    const sorted = order.name === column.name ? (order.down ? "descending" : "ascending") : null;
    const head = column.sort
      ? make("button", { onclick: () => sortBy(column) }, column.says, make("span", { "aria-hidden": "true" }, { ascending: " ↑", descending: " ↓" }[sorted] ?? ""))
      : column.says;
    return make("th", { scope: "col", "aria-sort": sorted, class: column.number ? "number" : "" }, head);
  }));
}

function sortBy(column) {
  order = { name: column.name, down: order.name === column.name ? !order.down : Boolean(column.number) && column.name !== "confidence" };
  const at = COLUMNS.indexOf(column);
  drawHeads();
  choose();
  find("heads").children[at].querySelector("button").focus();
}

function start() {
  startTheme();
  const good = rows.filter((row) => !row.problem);
  const mean = good.reduce((sum, row) => sum + row.confidence, 0) / Math.max(good.length, 1);
  const failed = rows.length - good.length;
  find("about").textContent = `${formatCount(rows.length)} pages, ${formatCount(failed)} failed · mean confidence ${formatNumber(mean)} · ${methods.join(", ")}`;
  const kinds = [...new Set(good.map((row) => row.kind))].sort();
  find("kind").append(make("option", { value: "" }, "all"), ...kinds.map((kind) => make("option", { value: kind }, kind)),
    ...(failed ? [make("option", { value: "!" }, "failed")] : []));
  for (const name of ["filter", "below"]) find(name).addEventListener("input", choose);
  find("kind").addEventListener("change", choose);
  find("more").addEventListener("click", () => { shown += STEP; draw(); });
  drawHeads();
  draw();
}

start();
