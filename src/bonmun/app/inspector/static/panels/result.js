// The result panel: the text, Markdown (as it is, or rendered) and JSON; each can be copied.

import { isReport } from "../core/api.js";
import { copy, formatCount, make } from "../core/dom.js";
import { read, set } from "../core/state.js";
import { say } from "../core/strings.js";
import { renderHtml } from "./rendered.js";

const SHOWN_CHARS = 60_000; // characters shown at first; all of them are copied
const FORMATS = { text: "text", markdown: "Markdown", html: "rendered", json: "JSON" };
const NAMES = { text: "text", html: "rendered" }; // translated
const COPIED = { html: "markdown" }; // what is copied instead of a rendered document
let format = "text";

export function drawResult(place, answer, page) {
  if (!answer.outputs || !Object.keys(answer.outputs).length) {
    place.append(make("p", { class: "quiet" }, answer.outputs ? say("notInReport") : "…"));
    return;
  }
  const body = make("div", { class: "output", dir: "auto", tabindex: "0", role: "region" });
  const size = make("span", { class: "quiet" });
  const formats = Object.keys(FORMATS).filter((name) => answer.outputs[name] !== undefined); // reports have no HTML
  if (!formats.includes(format)) format = "text";
  const buttons = formats.map((name) => make("button", {
    "aria-pressed": String(name === format), "data-format": name, onclick: () => choose(name),
  }, name in NAMES ? say(NAMES[name]) : FORMATS[name]));
  const switches = make("div", { class: "group", role: "group" }, ...["links", "images"].map((name) => make("button", {
    "aria-pressed": String(read(name)), "data-switch": name, onclick: () => set(name, !read(name)),
  }, say(name))));

  function choose(name) {
    format = name;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.format === name));
    switches.hidden = isReport() || !["markdown", "html"].includes(name);
    const output = name === "json" ? indent(answer.outputs.json) : answer.outputs[name];
    if (name === "html") body.replaceChildren(renderHtml(output));
    else body.textContent = output.slice(0, SHOWN_CHARS);
    if (name !== "html" && output.length > SHOWN_CHARS) {
      body.append("\n", make("button", { onclick: () => { body.textContent = output; } }, say("showAll")));
    }
    body.setAttribute("aria-label", FORMATS[name]);
    body.lang = name === "json" ? "en" : answer.language || page.language || "";
    body.className = `output ${{ markdown: "code", json: "code", html: "rendered" }[name] ?? ""}`;
    if (!answer.outputs.text && name !== "json") body.textContent = say("emptyResult");
    size.textContent = `${formatCount(answer.outputs[COPIED[name] ?? name].length)} ${say("characters")}`;
  }

  place.append(
    make("div", { class: "tools" }, make("div", { class: "group", role: "group" }, ...buttons), switches,
      make("button", { onclick: () => copy(answer.outputs[COPIED[format] ?? format], say("copied")) }, say("copy")), size),
    body);
  choose(format);
}

function indent(json) {
  try { return JSON.stringify(JSON.parse(json), null, 2); } catch { return json; }
}
