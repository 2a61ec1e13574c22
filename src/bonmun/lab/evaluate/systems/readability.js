// Mozilla's Readability on jsdom: reads one JSON request per line from stdin, writes one JSON answer per line to stdout.
const { JSDOM, VirtualConsole } = require("jsdom");
const { Readability } = require("@mozilla/readability");
const readline = require("node:readline");

function read({ html, url }) {
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
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  let answer;
  try {
    answer = read(JSON.parse(line));
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
