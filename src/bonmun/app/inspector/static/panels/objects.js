// The objects panel: what the page is about as typed records; each field with its source, confidence and block.

import { formatNumber, make } from "../core/dom.js";
import { flashBlock } from "../view/frame.js";
import { goTo } from "../view/moves.js";
import { say } from "../core/strings.js";

const SHOWN_ITEMS = 8; // items of a list that are shown at first
const NAMES = ["text", "name", "title"]; // parts of a value that stand for it

/** Return a value in one line: the parts of a record with their names. */
function writeLine(value) {
  if (Array.isArray(value)) return value.map(writeLine).join(", ");
  if (value === null || typeof value !== "object") return String(value);
  const main = NAMES.find((name) => typeof value[name] === "string");
  const rest = Object.entries(value).filter(([name, part]) => name !== main && part !== null).map(([name, part]) => `${name}: ${writeLine(part)}`);
  if (!main) return rest.join(", ");
  return rest.length ? `${value[main]} (${rest.join(", ")})` : value[main];
}

/** Return a value as an element: a list has a line for each item. */
function drawValue(value, language) {
  if (!Array.isArray(value) || value.length < 2) return make("span", { class: "whole", dir: "auto", lang: language }, writeLine(value));
  const items = value.map((each) => make("li", { dir: "auto", lang: language }, writeLine(each)));
  const list = make("ol", { class: "items" }, ...items.slice(0, SHOWN_ITEMS));
  if (items.length > SHOWN_ITEMS) {
    const more = make("button", { onclick: () => { list.append(...items.slice(SHOWN_ITEMS)); more.remove(); } }, say("showMore", { count: items.length - SHOWN_ITEMS }));
    return make("div", {}, list, more);
  }
  return list;
}

function drawField(field, language) {
  const others = (field.others ?? []).map((each) => make("p", { class: "quiet other" }, say("otherValue", { source: each.source }), " ",
    make("span", { dir: "auto", lang: language }, writeLine(each.value))));
  return make("li", { class: "field" },
    make("code", { class: "name" }, field.name),
    make("div", {}, drawValue(field.value, language), ...others),
    make("span", { class: "quiet" }, `${field.source} · ${formatNumber(field.confidence)}`),
    field.block === null ? make("span", { class: "quiet" })
      : make("button", { onclick: () => { goTo(field.block); flashBlock(field.block); } }, say("goTo")));
}

export function drawObjects(place, answer, page) {
  const language = answer.language || page.language || null;
  if (!answer.objects.length) place.append(make("p", { class: "quiet" }, say("objectsNone")));
  for (const { type, fields } of answer.objects) {
    place.append(make("h2", {}, type), make("ul", { class: "plain" }, ...fields.map((field) => drawField(field, language))));
  }
}
