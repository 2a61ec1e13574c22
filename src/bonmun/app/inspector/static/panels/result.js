// The panel of results: the text, as Markdown, as JSON; each can be copied.

import { copy, count, make } from "../core/dom.js";
import { say } from "../core/strings.js";

const SHOWN = 60_000; // characters that are shown at first; what is copied is all of it
const FORMATS = { text: "text", markdown: "Markdown", json: "JSON" };
let format = "text";

export function drawResult(place, answer, page) {
  const body = make("pre", { class: "output", dir: "auto", tabindex: "0", role: "region" });
  const size = make("span", { class: "quiet" });
  const buttons = Object.entries(FORMATS).map(([name, label]) => make("button", {
    "aria-pressed": String(name === format), "data-format": name, onclick: () => choose(name),
  }, name === "text" ? say("text") : label));

  function choose(name) {
    format = name;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.format === name));
    const output = name === "json" ? indent(answer.outputs.json) : answer.outputs[name];
    body.textContent = output.slice(0, SHOWN);
    if (output.length > SHOWN) {
      body.append("\n", make("button", { onclick: () => { body.textContent = output; } }, say("showAll")));
    }
    body.setAttribute("aria-label", FORMATS[name]);
    body.lang = name === "json" ? "en" : answer.language || page.language || "";
    body.classList.toggle("code", name !== "text");
    if (!answer.outputs.text && name !== "json") body.textContent = say("emptyResult");
    size.textContent = `${count(output.length)} ${say("characters")}`;
  }

  place.append(
    make("div", { class: "tools" }, make("div", { class: "group", role: "group" }, ...buttons), size,
      make("button", { onclick: () => copy(answer.outputs[format], say("copied")) }, say("copy"))),
    body);
  choose(format);
}

function indent(json) {
  try { return JSON.stringify(JSON.parse(json), null, 2); } catch { return json; }
}
