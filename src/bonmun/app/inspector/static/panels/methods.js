// The methods panel: all methods, the current one, and where two of them differ.

import { formatNumber, make } from "../core/dom.js";
import { GROUP_NAMES } from "../view/choices.js";
import { goTo } from "../view/moves.js";
import { makeList } from "./list.js";
import { read, set } from "../core/state.js";
import { say, word } from "../core/strings.js";

const HEIGHT = 50; // row height in pixels

function drawDifferences(place, answer, other, page) {
  const rows = [];
  let both = 0;
  const only = [0, 0];
  page.blocks.forEach((block, row) => {
    if (answer.kept[row] && other.kept[row]) both += 1;
    else if (answer.kept[row] || other.kept[row]) {
      rows.push(row);
      only[answer.kept[row] ? 0 : 1] += 1;
    }
  });
  const names = [answer.method, other.method];
  place.append(
    make("h2", {}, `${names[0]} / ${names[1]}`),
    make("dl", { class: "pairs" },
      make("dt", {}, say("f1")), make("dd", {}, formatNumber(read("agreement")?.f1, 3)),
      make("dt", { class: "both" }, say("bothKeep")), make("dd", {}, String(both)),
      make("dt", { class: "one" }, say("onlyIn", { method: names[0] })), make("dd", {}, String(only[0])),
      make("dt", { class: "two" }, say("onlyIn", { method: names[1] })), make("dd", {}, String(only[1]))));
  if (!rows.length) return;
  place.append(make("h2", {}, say("differences")));
  const list = makeList({
    count: rows.length,
    height: HEIGHT,
    label: say("differences"),
    isChosen: (at) => rows[at] === read("selected"),
    look: (at) => (answer.kept[rows[at]] ? "one" : "two"),
    choose: (at) => goTo(rows[at]),
    fill: (at) => [
      make("span", { class: "text", dir: "auto" }, page.blocks[rows[at]].text.slice(0, 200)),
      make("span", { class: "below" },
        make("span", { class: "decision" }, say("onlyIn", { method: names[answer.kept[rows[at]] ? 0 : 1] })),
        make("span", {}, word((answer.kept[rows[at]] ? other : answer).reasons[rows[at]]))),
    ],
  });
  list.element.style.height = `${Math.min(rows.length, 6) * HEIGHT + 2}px`;
  list.element.style.flex = "none";
  place.append(list.element);
}

export function drawMethods(place, answer, page) {
  const other = read("other") && read("otherAnswer");
  if (other) drawDifferences(place, answer, other, page);
  const makeRow = (each) => make("li", { class: each.name === read("method") ? "now" : "" },
    make("button", { "aria-pressed": String(each.name === read("method")), onclick: () => set("method", each.name) },
      each.name),
    make("span", {}, word(each.says)));
  for (const [group, name] of Object.entries(GROUP_NAMES)) {
    const held = page.methods.filter((each) => (each.group ?? "default") === group);
    if (held.length) place.append(make("h2", {}, say(name)), make("ul", { class: "plain methods" }, ...held.map(makeRow)));
  }
}
