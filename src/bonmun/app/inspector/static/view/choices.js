// The choices in the bar: page, method, and method to compare with.

import { get, isReport } from "../core/api.js";
import { find, make } from "../core/dom.js";
import { bind } from "../core/keys.js";
import { read, set, subscribe } from "../core/state.js";
import { say, word } from "../core/strings.js";

export const GROUP_NAMES = { default: "groupDefault", papers: "groupPapers", baselines: "groupBaselines" };
const MAX_LISTED = 500; // maximum pages in the list; others are reached with the arrows

function fillMethods() {
  const options = groupMethods([...(read("page")?.methods ?? []), ...read("moreMethods")]);
  find("method-choice").replaceChildren(...options);
  find("method-choice").value = read("method");
  const none = make("option", { value: "" }, say("compareNone"));
  find("other-choice").replaceChildren(none, ...options.map((each) => each.cloneNode(true)));
  find("other-choice").value = read("other");
}

/** Return a group of options for each group of methods. */
function groupMethods(methods) {
  const groups = Object.keys(GROUP_NAMES).map((group) => [group, methods.filter((each) => (each.group ?? "default") === group)]);
  return groups.filter(([, held]) => held.length).map(([group, held]) => make("optgroup", { label: say(GROUP_NAMES[group]) },
    ...held.map((each) => make("option", { value: each.name, title: word(each.says) }, each.name))));
}

function fillPages() {
  const { count, pages } = read("pages");
  find("pages").hidden = count < 2;
  const options = pages.slice(0, MAX_LISTED).map((each) => make("option", { value: each.number }, each.name));
  find("page-choice").replaceChildren(...options);
}

function showPage(number) {
  const choice = find("page-choice");
  if (![...choice.options].some((each) => Number(each.value) === number)) {
    choice.append(make("option", { value: number }, read("page")?.name ?? String(number)));
  }
  choice.value = String(number);
  find("previous-page").disabled = number <= 0;
  find("next-page").disabled = number + 1 >= read("pages").count;
}

async function loadAgreement() {
  const [one, other, number] = [read("method"), read("other"), read("pageNumber")];
  set("agreement", null);
  if (!other || !read("answer") || !read("otherAnswer")) return;
  const query = `one=${encodeURIComponent(one)}&other=${encodeURIComponent(other)}${read("siteModel") ? "" : "&site=false"}`;
  const found = await get(`pages/${number}/agreement?${query}`).catch(() => null);
  if (one === read("method") && other === read("other")) set("agreement", found);
}

export function startChoices(openPage) {
  const step = (by) => {
    const next = read("pageNumber") + by;
    if (next >= 0 && next < read("pages").count) openPage(next);
  };
  subscribe("page", fillMethods);
  subscribe("moreMethods", fillMethods);
  subscribe("pages", fillPages);
  subscribe("pageNumber", showPage);
  subscribe("method", (name) => { find("method-choice").value = name; });
  subscribe("other", (name) => { find("other-choice").value = name; });
  subscribe("answer", loadAgreement);
  subscribe("otherAnswer", loadAgreement);
  find("method-choice").addEventListener("change", (event) => set("method", event.target.value));
  find("other-choice").addEventListener("change", (event) => set("other", event.target.value));
  find("page-choice").addEventListener("change", (event) => openPage(Number(event.target.value)));
  find("previous-page").addEventListener("click", () => step(-1));
  find("next-page").addEventListener("click", () => step(1));
  bind("m", say("keyMethod"), () => find("method-choice").focus());
  bind("c", say("keyCompare"), () => find("other-choice").focus());
  if (!isReport()) {
    bind("]", say("keyPages"), () => step(1), "] [");
    bind("[", "", () => step(-1));
  }
}
