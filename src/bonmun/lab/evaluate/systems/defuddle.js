// Defuddle on linkedom. `parse` is synchronous and fetches nothing.
const { parseHTML } = require("linkedom");
const Defuddle = require("defuddle/full");
const answerLines = require("./answer_lines.js");

console.log = console.warn = console.error = () => {}; // stdout is for answers

answerLines(({ html, url }) => {
  const { document } = parseHTML(html);
  const found = new Defuddle(document, { url: url || "about:blank" }).parse();
  return { html: found.content, title: found.title, author: found.author, date: found.published };
});
