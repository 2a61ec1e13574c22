// The reference of the API, made from the OpenAPI description of the service.

import { find, make } from "./inspector/core/dom.js";
import { ask, setToken } from "./service.js";

async function show() {
  find("problem").textContent = "";
  let api;
  try {
    api = await ask("/openapi.json");
  } catch (problem) {
    find("form").hidden = problem.status !== 401;
    find("problem").textContent = problem.message;
    return;
  }
  find("form").hidden = true;
  find("version").textContent = `version ${api.info.version}`;
  find("about").textContent = api.info.description;
  const endpoints = Object.entries(api.paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, endpoint]) => ({ path, verb: verb.toUpperCase(), ...endpoint })));
  find("contents").replaceChildren(...endpoints.map((each) => make("a", { href: `#${each.operationId}` }, `${each.verb} ${each.path}`)));
  find("endpoints").replaceChildren(...endpoints.map((each) => makeEndpoint(each)));
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

function makeEndpoint(endpoint) {
  const { verb, path, description, operationId } = endpoint;
  const box = make("section", { class: "endpoint", id: operationId, "aria-label": `${verb} ${path}` });
  box.append(make("h2", {}, make("span", { class: "verb" }, verb), path));
  for (const paragraph of (description ?? endpoint.summary ?? "").split("\n\n")) box.append(make("p", {}, paragraph));
  if (endpoint.parameters?.length) box.append(make("h3", {}, "Parameters"), makeParameters(endpoint.parameters));
  const bodies = Object.entries(endpoint.requestBody?.content ?? {});
  if (bodies.length) box.append(make("h3", {}, "Body"), ...bodies.map(([kind, body]) => makeBody(kind, body)));
  box.append(make("h3", {}, "Example"), make("pre", { class: "example" }, makeExample(endpoint, bodies)));
  box.append(make("h3", {}, "Responses"), makeTable(Object.entries(endpoint.responses ?? {}).map(([status, each]) => [status, [each.description, listTypes(each)].filter(Boolean).join(" ")])));
  return box;
}

function listTypes(response) {
  const kinds = Object.keys(response.content ?? {});
  return kinds.length && response.description.startsWith("Success") ? kinds.join(", ") : "";
}

function makeParameters(parameters) {
  return makeTable(parameters.map((each) => [each.name, `${each.description ?? ""} ${describe(each.schema ?? {})}`.trim()]));
}

/** Return the values that a schema allows, in words. */
function describe(schema) {
  const { minimum, maximum } = schema;
  const range = minimum !== undefined && maximum !== undefined ? `${minimum.toLocaleString("en-US")} to ${maximum.toLocaleString("en-US")}` : "";
  const kind = schema.enum && schema.enum.length <= 12 ? schema.enum.join(", ") : schema.type === "boolean" ? "true, false" : range;
  return kind ? `(${kind})` : "";
}

function makeBody(kind, body) {
  const fields = Object.keys(body.schema?.properties ?? {});
  const says = fields.length ? `fields ${fields.slice(0, 3).join(", ")}${fields.length > 3 ? " and the other parameters" : ""}` : "the page or the URLs";
  return make("p", {}, make("code", {}, kind), `: ${says}`);
}

function makeExample({ verb, path }, bodies) {
  const address = `${location.origin}${path.replace("{url}", "https://example.org/page")}`;
  if (verb === "GET") return `curl ${address}`;
  const [kind, body] = bodies[bodies.findIndex(([name]) => name === "application/json")] ?? [];
  return kind ? `curl ${address} -H 'Content-Type: ${kind}' \\\n  -d '${JSON.stringify(body.example ?? {}).replaceAll("'", "\\u0027")}'` : `curl -X ${verb} ${address}`;
}

function makeTable(rows) {
  return make("table", { class: "values" }, make("tbody", {}, ...rows.map(([name, value]) =>
    make("tr", {}, make("th", { scope: "row" }, make("code", {}, name)), make("td", {}, value)))));
}

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  setToken(find("token").value);
  show();
});
show();
