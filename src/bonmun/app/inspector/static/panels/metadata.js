// The panel of facts: each with its source, how sure it is, and the block that says it.

import { make, show } from "../core/dom.js";
import { flashBlock } from "../view/frame.js";
import { goTo } from "../view/moves.js";
import { say, word } from "../core/strings.js";

export function drawFacts(place, answer, page) {
  if (!answer.facts.length) {
    place.append(make("p", { class: "quiet" }, say("factsNone")));
    return;
  }
  const rows = answer.facts.map((fact) => make("li", { class: "fact" },
    make("span", { class: "name" }, word(fact.name.replace("_", " "))),
    make("span", { class: "value", dir: "auto", lang: answer.language || page.language || null }, fact.value),
    make("span", { class: "quiet" }, fact.confidence === null ? fact.source : `${fact.source} · ${show(fact.confidence)}`),
    fact.block === null
      ? make("span", { class: "quiet" }, say("notOnPage"))
      : make("button", { onclick: () => { goTo(fact.block); flashBlock(fact.block); } }, say("goTo"))));
  place.append(make("ul", { class: "plain" }, ...rows));
}
