// The legend: what the colours and lines of the blocks mean, for one method, for two, or for labels.

import { find, make } from "../core/dom.js";
import { read, subscribe } from "../core/state.js";
import { nameLabel, say } from "../core/strings.js";

const LABELS = { keep: "k", drop: "d", comment: "c", title: "t", author: "a", date: "w" };

/** Return pairs of a look (see paint.js) and its meaning. */
function listLooks() {
  const [answer, other] = [read("answer"), read("other") && read("otherAnswer")];
  if (answer && other) {
    return [["b", say("bothKeep")], ["x", say("onlyIn", { method: answer.method })], ["y", say("onlyIn", { method: other.method })]];
  }
  if (read("labels")) return Object.entries(LABELS).map(([label, look]) => [look, nameLabel(label)]);
  const looks = [["k", say("kept")], ["d", say("dropped")]];
  return answer?.comments.length ? [...looks, ["c", say("comment")]] : looks;
}

function showLegend() {
  const items = listLooks().map(([look, meaning]) => make("span", { class: `look look-${look}` }, meaning));
  const isSimple = !read("labels") && !(read("other") && read("otherAnswer"));
  find("legend").replaceChildren(...items, ...(isSimple ? [make("span", { class: "quiet" }, say("legendSure"))] : []));
}

export function startLegend() {
  for (const name of ["answer", "otherAnswer", "other", "labels"]) subscribe(name, showLegend);
  showLegend();
}
