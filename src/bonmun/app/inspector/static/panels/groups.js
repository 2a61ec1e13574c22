// The groups panel: the evidence of the method as tables; selecting a row shows its blocks on the page.

import { make, shortenPath } from "../core/dom.js";
import { goTo } from "../view/moves.js";
import { makeList } from "./list.js";
import { set } from "../core/state.js";
import { say, word } from "../core/strings.js";

const HEIGHT = 30; // row height in pixels
const MAX_VISIBLE_ROWS = 12; // visible rows of a table if there are several

function write(value) {
  if (value === null) return "–";
  if (value === true) return "✓";
  if (value === false) return "";
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(3) : String(value);
}

/** Format a cell: paths are shortened, page kinds translated. */
function writeCell(column, value) {
  if (column === "path" && value) return shortenPath(value);
  return column === "kind" ? word(value) : write(value);
}

/** Return the type of each column: "text", "mark" or "number". */
function findTypes(table) {
  const has = (kind, at) => table.rows.some((row) => typeof row[at] === kind);
  return table.columns.map((_, at) => (has("string", at) ? "text" : has("boolean", at) ? "mark" : "number"));
}

function measureColumns(table, kinds) {
  const widths = table.columns.map((name, at) => {
    const letters = name.length * (/[가-힣]/.test(name) ? 12 : 7.2);
    return kinds[at] === "text" ? "minmax(110px, 1fr)" : `${Math.max(letters, kinds[at] === "number" ? 58 : 20)}px`;
  });
  return widths.join(" ");
}

/** Add the text of each leaf beside its number, unless the table has texts. */
function addTexts(table, page) {
  const at = table.columns.indexOf("leaf");
  if (at < 0 || table.columns.includes("text")) return table;
  const rows = table.rows.map((row) => [...row, page.leaves.texts[row[at]]?.slice(0, 100) ?? ""]);
  return { ...table, columns: [...table.columns, "text"], rows };
}

/** Draw a table of evidence as a list of rows under column names. */
export function drawTable(table, most = Infinity) {
  const kinds = findTypes(table);
  const names = table.columns.map((name) => word(name.replaceAll("_", " ")));
  const columns = measureColumns({ ...table, columns: names }, kinds);
  const head = make("div", { class: "row head" }, ...names.map((name, at) => make("span", { class: kinds[at] }, name)));
  head.style.gridTemplateColumns = columns;
  const chosen = new Set(table.chosen);
  let now = -1;
  const list = makeList({
    count: table.rows.length,
    height: HEIGHT,
    label: table.says.split(":")[0],
    isChosen: (row) => row === now,
    look: (row) => (chosen.has(row) ? "chosen" : ""),
    choose: (row) => {
      now = row;
      set("marked", table.blocks[row]);
      if (table.blocks[row].length) goTo(table.blocks[row][0]);
    },
    fill: (row) => [makeCells(table, row, kinds, columns)],
  });
  list.element.style.height = `${Math.min(table.rows.length, most) * HEIGHT + 2}px`;
  list.element.style.flex = "none";
  return make("div", { class: "table" }, head, list.element);
}

function makeCells(table, row, kinds, columns) {
  const line = make("span", { class: "cells" }, ...table.rows[row].map((value, at) => make("span", {
    class: kinds[at], title: kinds[at] === "text" ? value : null, dir: "auto",
  }, writeCell(table.columns[at], value))));
  line.style.gridTemplateColumns = columns;
  return line;
}

/** Return a title and a description of a table. */
function describeTable(table) {
  const says = word(table.says);
  const [, title, rest] = says.match(/^([^:.]{1,40}):\s(.*)$/s) ?? [null, word(table.is.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)), says];
  return [make("h2", {}, title), make("p", { class: "quiet" }, rest[0].toUpperCase() + rest.slice(1))];
}

export function drawGroups(place, answer, page) {
  if (!answer.evidence.length) place.append(make("p", { class: "quiet" }, say("groupsNone")));
  for (const table of answer.evidence) {
    place.append(...describeTable(table), drawTable(addTexts(table, page), answer.evidence.length > 1 ? MAX_VISIBLE_ROWS : 20));
  }
}
