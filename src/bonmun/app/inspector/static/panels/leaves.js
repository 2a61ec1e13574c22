// The leaves panel: every text node of the page with its path, score and decision.

import { formatNumber, make, shortenPath } from "../core/dom.js";
import { goTo } from "../view/moves.js";
import { makeList } from "./list.js";
import { read, subscribe } from "../core/state.js";
import { say } from "../core/strings.js";

const HEIGHT = 50; // row height in pixels
let list = null;

export function drawLeaves(place, answer, page) {
  const { texts, paths, path_of: pathOf } = page.leaves;
  const blockOf = new Int32Array(texts.length);
  page.blocks.forEach((block, row) => blockOf.fill(row, block.first, block.last + 1));
  const own = answer.leaves;
  const isKept = (leaf) => (own ? own.kept[leaf] : answer.kept[blockOf[leaf]]);
  const language = answer.language || page.language || "";
  list = makeList({
    count: texts.length,
    height: HEIGHT,
    label: say("leaves"),
    isChosen: (leaf) => blockOf[leaf] === read("selected"),
    look: (leaf) => (isKept(leaf) ? "kept" : "dropped"),
    choose: (leaf) => goTo(blockOf[leaf]),
    fill: (leaf) => [
      make("span", { class: "text", dir: "auto", lang: language }, texts[leaf].slice(0, 200)),
      make("span", { class: "below" },
        make("span", { class: `decision ${isKept(leaf) ? "kept" : "dropped"}` }, say(isKept(leaf) ? "kept" : "dropped")),
        make("span", { class: "score" }, formatNumber(own ? own.scores[leaf] : answer.scores[blockOf[leaf]])),
        make("code", { title: paths[pathOf[leaf]] }, shortenPath(paths[pathOf[leaf]]))),
    ],
  });
  place.append(list.element);
  const chosen = page.blocks[read("selected")];
  if (chosen) list.reveal(chosen.first);
}

subscribe("selected", (row) => {
  const block = read("blocks")[row];
  if (list?.element.isConnected && block) list.reveal(block.first);
});
