// The path panel: what the method has chosen, and the paths of all kept blocks.

import { make } from "../core/dom.js";
import { drawTable } from "./groups.js";
import { say, word } from "../core/strings.js";

function tallyPaths(answer, page) {
  const paths = new Map();
  page.blocks.forEach((block, row) => {
    if (!paths.has(block.tag_path)) paths.set(block.tag_path, { kept: [], dropped: 0, characters: 0 });
    const path = paths.get(block.tag_path);
    if (answer.kept[row]) {
      path.kept.push(row);
      path.characters += block.text.length;
    } else path.dropped += 1;
  });
  return [...paths].filter(([, path]) => path.kept.length).sort((one, other) => other[1].characters - one[1].characters);
}

export function drawPath(place, answer, page) {
  const chosen = answer.evidence.flatMap((table) => table.chosen.map((row) => ({ table, row })));
  if (chosen.length) {
    place.append(make("h2", {}, say("chosen")));
    for (const { table, row } of chosen.slice(0, 20)) {
      const parts = table.columns.map((name, at) => [name, table.rows[row][at]]).filter(([name]) => name !== "chosen");
      place.append(make("dl", { class: "pairs" }, ...parts.flatMap(([name, value]) => [
        make("dt", {}, word(name.replaceAll("_", " "))), make("dd", { dir: "auto" }, value === null ? "–" : String(value)),
      ])));
    }
  }
  const found = tallyPaths(answer, page);
  place.append(make("h2", {}, say("pathsKept")));
  if (!found.length) {
    place.append(make("p", { class: "quiet" }, say("emptyResult")));
    return;
  }
  place.append(make("p", { class: "quiet" }, say("pathMost")), make("p", {}, make("code", { class: "path" }, found[0][0])));
  place.append(drawTable({
    says: say("pathsKept"),
    columns: [say("kept"), say("dropped"), say("characters"), "path"],
    rows: found.map(([path, { kept, dropped, characters }]) => [kept.length, dropped, characters, path]),
    chosen: [],
    blocks: found.map(([, path]) => path.kept),
  }, 20));
}
