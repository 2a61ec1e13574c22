// The panel of groups: all that the method has weighed, as tables; choosing a row shows its blocks on the page.

import { make } from "./dom.js";
import { goTo } from "./moves.js";
import { makeList } from "./list.js";
import { set } from "./state.js";
import { say } from "./strings.js";

const HEIGHT = 30; // pixels of a row
const MOST_HIGH = 12; // rows that are seen of a table among others

function write(value) {
  if (value === null) return "–";
  if (value === true) return "✓";
  if (value === false) return "";
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(3) : String(value);
}

function measureColumns(table) {
  return table.columns.map((name, at) => {
    const isText = table.rows.some((row) => typeof row[at] === "string");
    return isText ? "minmax(10em, 1fr)" : `${Math.max(4, name.length * 0.62 + 1)}em`;
  }).join(" ");
}

/** A table of evidence as a list of rows, with the names of its columns over it. */
export function drawTable(table, most = Infinity) {
  const columns = measureColumns(table);
  const head = make("div", { class: "row head" }, ...table.columns.map((name) => make("span", {}, name.replaceAll("_", " "))));
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
    fill: (row) => [cells(table.rows[row], columns)],
  });
  list.element.style.height = `${Math.min(table.rows.length, most) * HEIGHT + 2}px`;
  list.element.style.flex = "none";
  return make("div", { class: "table" }, head, list.element);
}

function cells(values, columns) {
  const line = make("span", { class: "cells" }, ...values.map((value) => make("span", {
    class: typeof value === "number" ? "number" : "", title: typeof value === "string" ? value : null, dir: "auto",
  }, write(value))));
  line.style.gridTemplateColumns = columns;
  return line;
}

export function drawGroups(place, answer) {
  if (!answer.evidence.length) place.append(make("p", { class: "quiet" }, say("groupsNone")));
  for (const table of answer.evidence) {
    const title = table.says.match(/^([^:.]{1,40}):\s/)?.[1];
    place.append(make("h2", {}, title ?? table.is), make("p", { class: "quiet" }, table.says),
      drawTable(table, answer.evidence.length > 1 ? MOST_HIGH : 20));
  }
}
