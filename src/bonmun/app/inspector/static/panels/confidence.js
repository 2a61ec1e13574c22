// The confidence panel: the confidence, its meaning, and what lowers it.

import { formatNumber, make } from "../core/dom.js";
import { goTo } from "../view/moves.js";
import { set } from "../core/state.js";
import { say, word } from "../core/strings.js";

export function drawConfidence(place, answer) {
  const percent = Math.round(answer.confidence * 100);
  const meter = make("div", { class: "meter", "aria-hidden": "true" }, make("div", {}));
  meter.firstChild.style.width = `${percent}%`;
  const means = answer.method === "auto" ? say("means", { percent }) : say("meansOther");
  place.append(make("p", { class: "figure" }, formatNumber(answer.confidence)), meter, make("p", { class: "quiet" }, means));
  place.append(make("h2", {}, say("lowers")));
  if (!answer.lowers.length) place.append(make("p", {}, say("lowersNone")));
  place.append(make("ul", { class: "plain" }, ...answer.lowers.map((each) => make("li", { class: "lowers" },
    make("span", {}, word(each.says)),
    each.blocks.length ? make("button", {
      onclick: () => { set("marked", each.blocks); goTo(each.blocks[0]); },
    }, say("goTo")) : null))));
  const kinds = Object.entries(answer.kinds);
  if (!kinds.length) return;
  place.append(make("h2", {}, say("kind")), make("dl", { class: "pairs" }, ...kinds.flatMap(([kind, chance]) => [
    make("dt", {}, word(kind)), make("dd", {}, `${Math.round(chance * 100)} %`),
  ])));
}
