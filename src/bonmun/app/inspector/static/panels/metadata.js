// The metadata panel: each field with its source, its confidence, and the block it was found in.

import { formatNumber, make } from "../core/dom.js";
import { flashBlock } from "../view/frame.js";
import { goTo } from "../view/moves.js";
import { say, word } from "../core/strings.js";

export function drawMetadata(place, answer, page) {
  if (!answer.facts.length) {
    place.append(make("p", { class: "quiet" }, say("metadataNone")));
    return;
  }
  const rows = answer.facts.map((field) => make("li", { class: "field" },
    make("span", { class: "name" }, word(field.name.replace("_", " "))),
    make("span", { class: "value", dir: "auto", lang: answer.language || page.language || null }, field.value),
    make("span", { class: "quiet" }, field.confidence === null ? field.source : `${field.source} · ${formatNumber(field.confidence)}`),
    field.block === null
      ? make("span", { class: "quiet" }, say("notOnPage"))
      : make("button", { onclick: () => { goTo(field.block); flashBlock(field.block); } }, say("goTo"))));
  place.append(make("ul", { class: "plain" }, ...rows));
}
