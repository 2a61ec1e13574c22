// The texts that repeat on a site, those on most pages first, and whether they are dropped. Choosing one shows it on a page.

import { formatCount, make } from "../core/dom.js";
import { read } from "../core/state.js";
import { say } from "../core/strings.js";
import { makeList } from "../panels/list.js";
import { flashBlock } from "../view/frame.js";
import { goTo } from "../view/moves.js";

const HEIGHT = 50; // row height in pixels
const MAX_VISIBLE_ROWS = 4.5; // half a row says that there are more

/** Return the first block of the open page with a text, or -1. */
function findBlock(text) {
  return read("blocks").findIndex((block) => block.text.includes(text));
}

async function showText(each, open) {
  if (findBlock(each.text) < 0) await open(each.first);
  const row = findBlock(each.text);
  if (row < 0) return;
  goTo(row);
  flashBlock(row);
}

function writeFate({ kept, judged }) {
  if (!kept) return [say("dropped"), "dropped"];
  return kept === judged ? [say("kept"), "kept"] : [say("siteKeptOn", { kept: formatCount(kept), judged: formatCount(judged) }), "kept"];
}

/** Return the parts of the panel about texts that repeat. */
export function drawRepeats(site, open) {
  const { texts } = site;
  const head = make("h2", {}, say("siteRepeats"));
  if (!texts.length) return [head, make("p", { class: "quiet" }, say("siteNoRepeats"))];
  const list = makeList({
    count: texts.length,
    height: HEIGHT,
    label: say("siteRepeats"),
    name: "site-text",
    onEnter: true,
    look: (row) => (texts[row].kept ? "kept" : "dropped"),
    choose: (row) => showText(texts[row], open),
    fill: (row) => {
      const [fate, look] = writeFate(texts[row]);
      return [make("span", { class: "text", dir: "auto", title: texts[row].text }, texts[row].text),
        make("span", { class: "below" }, make("span", { class: `decision ${look}` }, fate),
          make("span", {}, say("siteOnPages", { pages: formatCount(texts[row].pages), of: formatCount(site.counted) })))];
    },
  });
  list.element.style.height = `${Math.min(texts.length, MAX_VISIBLE_ROWS) * HEIGHT + 2}px`;
  list.element.id = "site-texts";
  return [head, make("p", { class: "quiet" }, say("siteRepeatsSays", { pages: formatCount(site.counted) })), list.element];
}
