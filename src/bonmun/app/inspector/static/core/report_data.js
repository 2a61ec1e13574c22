// Reads the data of a report page, as report_data.py writes it: base64 of compressed JSON, in which texts are stored once.

/** Return the data of a page: {page, answers, agreement, speaking}. */
export async function readReportData(script) {
  const bytes = Uint8Array.from(atob(script), (letter) => letter.charCodeAt(0));
  const data = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  const { blocks: columns, leaves } = data.page;
  const names = Object.keys(columns);
  const texts = columns.text ?? [];
  const find = (text) => (typeof text === "number" ? texts[text] : text);
  data.page.blocks = texts.map((_, row) => Object.fromEntries(names.map((name) => [name, columns[name][row]])));
  leaves.texts = leaves.texts.map(find);
  for (const { outputs } of Object.values(data.answers)) {
    for (const name of Object.keys(outputs)) outputs[name] = outputs[name].map(find).join("\n");
  }
  return data;
}
