// Opens another page: a chosen or dropped file, pasted HTML, or a URL if the service may fetch.

import { get, isReport, post, send } from "../core/api.js";
import { find, make } from "../core/dom.js";
import { bind } from "../core/keys.js";
import { set } from "../core/state.js";
import { say } from "../core/strings.js";

let open = () => {}; // shows a page by its number

function showProblem(problem) {
  find("open-problem").textContent = problem?.message ?? "";
}

/** Wait until the server has opened a page, and show it. */
async function openSent(asking) {
  showProblem(null);
  try {
    const { number } = await asking;
    find("open").close();
    find("open-form").reset();
    set("pages", await get("pages"));
    await open(number);
  } catch (problem) {
    if (!find("open").open) find("open").showModal();
    showProblem(problem);
  }
}

function sendHtml(body, name) {
  const kind = body instanceof Blob ? "text/html" : "text/html; charset=utf-8";
  return openSent(send(`open?name=${encodeURIComponent(name)}`, body, kind));
}

function submit(event) {
  event.preventDefault();
  const file = find("open-file").files[0];
  const url = find("open-url").value.trim();
  const html = find("open-html").value;
  if (file) sendHtml(file, file.name);
  else if (url) openSent(post("open", { url }));
  else if (html.trim()) sendHtml(html, say("pasted"));
  else showProblem({ message: say("openNothing") });
}

/** Show the dialog to open a page. */
export function askForPage() {
  showProblem(null);
  if (!find("open").open) find("open").showModal();
}

/** Enable opening pages, if the server accepts any. */
export function startOpening(pages, openPage) {
  if (isReport() || !pages.opens) return;
  open = openPage;
  find("open-url").closest("label").hidden = !pages.fetches;
  find("open-form").addEventListener("submit", submit);
  find("open-cancel").addEventListener("click", () => find("open").close());
  const button = make("button", { id: "open-button", "aria-haspopup": "dialog", onclick: askForPage }, say("open"));
  find("bar").querySelector(".switches").prepend(button);
  bind("o", say("keyOpen"), askForPage);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    sendHtml(file, file.name);
  });
}
