// Agreement between this annotator and those whose gold files are in the same folder.

import { get } from "../core/api.js";
import { formatNumber, make } from "../core/dom.js";
import { say } from "../core/strings.js";

function draw(place, found) {
  if (found.alpha === null) return place.replaceChildren(make("p", {}, say("agreementNone")));
  const rows = found.disputed.map((each) => make("li", {},
    make("span", { dir: "auto" }, each.text.slice(0, 120)),
    make("span", { class: "quiet" }, `${each.page} · ${Object.entries(each.labels).map(([who, label]) => `${who}: ${label}`).join(", ")}`)));
  return place.replaceChildren(
    make("p", { id: "agreement-says" }, say("agreementSays",
      { alpha: formatNumber(found.alpha, 3), kept: formatNumber(found.kept_alpha, 3), pages: found.pages })),
    ...found.problems.map((problem) => make("p", { class: "problem" }, problem)),
    ...(rows.length ? [make("h3", {}, say("disputed")), make("ul", { class: "plain queue" }, ...rows)] : []));
}

export function startAgreement(place, session) {
  if (!session.others.length) return;
  const result = make("div", { id: "agreement-result" });
  const load = async () => {
    try { draw(result, await get("agreement")); } catch (problem) { result.replaceChildren(make("p", {}, problem.message)); }
  };
  const others = session.others.map((each) => each.replace(/\.jsonl$/, "")).join(", ");
  place.replaceChildren(make("h2", {}, say("agreement")),
    make("button", { id: "agreement-measure", onclick: load }, say("agreementShow", { others })), result);
}
