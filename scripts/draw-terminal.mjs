// A terminal's output as a picture: text that scales, in colours that both themes of a page can bear. Lines appear one after
// another as if typed, once; whoever does not animate sees all of it.

const COLUMNS = 80;
const CHARACTER = 8.43;
const LINE = 19;
const MARGIN = 18;
const BAR = 34;

/** The few codes that the program uses, as classes. */
const CLASSES = { 1: "bold", 2: "dim", 32: "green", 33: "yellow", "38;5;208": "orange", 31: "red" };

/**
 * @param {readonly { readonly typed: string, readonly output: string }[]} commands
 * @returns {string}
 */
export function drawTerminal(commands) {
  const lines = commands.flatMap(({ typed, output }, index) => [
    ...(index === 0 ? [] : [{ text: "", seconds: 1.6 }]),
    { text: `\u001b[32m$\u001b[0m ${typed}`, seconds: index === 0 ? 0.3 : 0.2 },
    ...output
      .trimEnd()
      .split("\n")
      .map((text, row) => ({ text, seconds: row === 0 ? 0.9 : 0.04 })),
  ]);
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN);
  const height = BAR + lines.length * LINE + MARGIN;
  let delay = 0;
  const rows = lines.map(({ text, seconds }, index) => {
    delay += seconds;
    const y = BAR + (index + 0.75) * LINE;
    return `<text x="${MARGIN}" y="${y.toFixed(1)}" style="animation-delay:${delay.toFixed(2)}s">${renderSpans(text)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(commands.map(({ typed }) => typed).join(", then "))}">`,
    "<style>",
    'text { font: 14px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d7dde4; white-space: pre; animation: appear 0.01s both; }',
    ".bold { font-weight: 700; fill: #ffffff; } .dim { fill: #8a96a3; } .green { fill: #5fd38d; } .yellow { fill: #e8c468; } .orange { fill: #f0a35e; } .red { fill: #f28b82; }",
    "@keyframes appear { from { opacity: 0; } to { opacity: 1; } }",
    "@media (prefers-reduced-motion: reduce) { text { animation: none; } }",
    "</style>",
    `<rect width="${width}" height="${height}" rx="10" fill="#10202c"/>`,
    ...["#f28b82", "#e8c468", "#5fd38d"].map(
      (fill, index) => `<circle cx="${20 + index * 18}" cy="17" r="5.5" fill="${fill}"/>`,
    ),
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

function renderSpans(text) {
  const spans = [];
  let style = "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours are what is read
  for (const part of text.split(/(\u001b\[[\d;]*m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours are what is read
    const code = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (code !== undefined) style = CLASSES[code] ?? "";
    else if (part !== "")
      spans.push(style === "" ? escapeXml(part) : `<tspan class="${style}">${escapeXml(part)}</tspan>`);
  }
  return spans.join("");
}

function escapeXml(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
