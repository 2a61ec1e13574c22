// Opens another page: a file that is chosen or dropped, HTML that is pasted, or an address where the service may fetch.

import { get, isReport, post, send } from "../core/api.js";
import { find, make } from "../core/dom.js";
import { bind } from "../core/keys.js";
import { set } from "../core/state.js";
import { say } from "../core/strings.js";

let open = () => {}; // shows a page of the shelf by its number

function showProblem(problem) {
  find("open-problem").textContent = problem?.message ?? "";
}

/** Have the server put a page on its shelf, and show it. */
async function put(asking) {
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

function putHtml(body, name) {
  const kind = body instanceof Blob ? "text/html" : "text/html; charset=utf-8";
  return put(send(`open?name=${encodeURIComponent(name)}`, body, kind));
}

function submit(event) {
  event.preventDefault();
  const file = find("open-file").files[0];
  const url = find("open-url").value.trim();
  const html = find("open-html").value;
  if (file) putHtml(file, file.name);
  else if (url) put(post("open", { url }));
  else if (html.trim()) putHtml(html, say("pasted"));
  else showProblem({ message: say("openNothing") });
}

/** Show the dialog in which a page is given. */
export function askForPage() {
  showProblem(null);
  if (!find("open").open) find("open").showModal();
}

/** Let pages be opened, if the server takes any. */
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
    putHtml(file, file.name);
  });
}
