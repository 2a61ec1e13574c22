// Reads one JSON request per line from stdin, writes one JSON answer per line to stdout.
const readline = require("node:readline");

module.exports = function answerLines(read) {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    let answer;
    try {
      answer = read(JSON.parse(line));
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  });
};
