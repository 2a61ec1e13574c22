// Requests to the server, with the key from the URL; in a report, which has no server, reads the data in the page.

import { readReportData } from "./report_data.js";

const KEY_NAME = "bonmun-key";
const offline = globalThis.bonmunPage ? readReportData(globalThis.bonmunPage) : null; // set by the script of a report page

/** An error from the server: a message, and the name of the error. */
export class Problem extends Error {
  constructor(message, name = "Problem", status = 0) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

/** Take the key out of the URL, so that it is neither sent nor kept in the history. */
function findKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (given) {
    sessionStorage.setItem(KEY_NAME, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY_NAME) ?? "";
}

const key = offline ? "" : findKey();
// A restarted server has another key; its URL differs from this one only in the fragment.
if (!offline) addEventListener("hashchange", () => { if (location.hash.includes("key=")) { findKey(); location.reload(); } });

/** Return whether this is a page of a report, which is read-only. */
export function isReport() {
  return Boolean(offline);
}

/** GET a path under /inspector/api/, such as `pages/0`. */
export async function get(path) {
  if (offline) return readOffline(path, await offline);
  return ask(path, { headers: { "X-Bonmun-Key": key } });
}

/** POST a value as JSON to a path under /inspector/api/. */
export async function post(path, value) {
  return send(path, JSON.stringify(value), "application/json");
}

/** POST a body with a content type. */
export async function send(path, body, kind) {
  return ask(path, { method: "POST", headers: { "X-Bonmun-Key": key, "Content-Type": kind }, body });
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(`/inspector/api/${path}`, options);
  } catch {
    throw new Problem("The server does not answer. Is `bonmun inspect` still running?", "NoAnswer");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    const { message, type } = answer?.error ?? {};
    throw new Problem(message ?? `The server answered ${response.status}.`, type, response.status);
  }
  return answer;
}

function readOffline(path, held) {
  const [place, query] = path.split("?");
  const asked = new URLSearchParams(query);
  if (place === "pages") {
    return { count: 1, method: Object.keys(held.answers)[0], pages: [{ number: 0, name: held.page.name, url: held.page.url }] };
  }
  if (place.endsWith("/answer")) {
    const found = held.answers[asked.get("method")];
    if (!found) throw new Problem("This report does not contain the answer of that method.");
    return found;
  }
  if (place.endsWith("/agreement")) return held.agreement[`${asked.get("one")} ${asked.get("other")}`] ?? null;
  if (place.endsWith("/features")) {
    const found = held.speaking?.[asked.get("block")];
    if (!found) throw new Problem("This report does not contain the features of this block.");
    return found;
  }
  return held.page;
}
