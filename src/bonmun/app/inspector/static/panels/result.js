// The result panel: the text, Markdown and JSON; each can be copied.

import { copy, formatCount, make } from "../core/dom.js";
import { say } from "../core/strings.js";

const SHOWN_CHARS = 60_000; // characters shown at first; all of them are copied
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
    body.textContent = output.slice(0, SHOWN_CHARS);
    if (output.length > SHOWN_CHARS) {
      body.append("\n", make("button", { onclick: () => { body.textContent = output; } }, say("showAll")));
    }
    body.setAttribute("aria-label", FORMATS[name]);
    body.lang = name === "json" ? "en" : answer.language || page.language || "";
    body.classList.toggle("code", name !== "text");
    if (!answer.outputs.text && name !== "json") body.textContent = say("emptyResult");
    size.textContent = `${formatCount(output.length)} ${say("characters")}`;
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
