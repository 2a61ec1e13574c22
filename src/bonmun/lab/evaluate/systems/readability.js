// Mozilla's Readability on jsdom.
const { JSDOM, VirtualConsole } = require("jsdom");
const { Readability } = require("@mozilla/readability");
const answerLines = require("./answer_lines.js");

answerLines(({ html, url }) => {
  const options = { virtualConsole: new VirtualConsole() }; // no output; jsdom does not run scripts or load resources by default
  if (url) options.url = url;
  let dom;
  try {
    dom = new JSDOM(html, options);
  } catch (error) {
    delete options.url; // jsdom rejected the URL
    dom = new JSDOM(html, options);
  }
  const found = new Readability(dom.window.document).parse();
  dom.window.close();
  if (!found) return { html: "" };
  return { html: found.content, title: found.title, author: found.byline, date: found.publishedTime };
});
