// The layouts of a site, each with its pages, kind, mean confidence and examples. Choosing one lists its pages.

import { formatCount, formatNumber, make } from "../core/dom.js";
import { say, word } from "../core/strings.js";

function countPages(count) {
  return count === 1 ? say("siteOnePage") : say("sitePages", { count: formatCount(count) });
}

function drawLayout(layout, number, isChosen, choose, open) {
  const examples = layout.examples.map((each) => make("button", { class: "link", dir: "auto", title: each.name, onclick: () => open(each.number) }, each.title || each.name));
  return make("li", {},
    make("button", { class: "layout", "aria-pressed": String(isChosen), "data-layout": number, onclick: () => choose(number) },
      make("b", {}, say("siteLayout", { number: number + 1 })), make("span", {}, word(layout.kind)),
      make("span", {}, countPages(layout.pages)), make("span", { class: "quiet" }, say("siteMean", { confidence: formatNumber(layout.confidence) }))),
    make("div", { class: "examples" }, ...examples));
}

/** Return the parts of the panel about layouts. */
export function drawLayouts(site, chosen, choose, open) {
  const rows = site.layouts.map((layout, number) => drawLayout(layout, number, number === chosen, choose, open));
  if (site.unlike) {
    rows.push(make("li", {}, make("button", { class: "layout", "aria-pressed": String(chosen === -1), "data-layout": -1, onclick: () => choose(-1) },
      make("b", {}, say("siteUnlike")), make("span", {}, countPages(site.unlike)))));
  }
  const none = site.layouts.length ? [] : [make("p", { class: "quiet" }, say("siteLayoutsNone"))];
  return [make("h2", {}, say("siteLayouts")), ...none, make("ul", { class: "plain layouts" }, ...rows)];
}
