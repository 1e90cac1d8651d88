// What an agent needs of a long output, and of a code base, without any of the layers: one output folded, a block
// of code in an answer, a task's words turned into the few files that matter.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createFileSearch } from "plimsoll/files";
import { findLongBlocks, foldCodeBlock, foldOutput } from "plimsoll/fold";
import { retrieve } from "plimsoll/retrieve";

const log = `${"[info] compiled without warnings\n".repeat(400)}[WARN] checksum mismatch in hull.bin\n`;
const { text, kind, handle } = foldOutput(log, { tool: "Bash", command: "make" }, { recallTool: "recall" });
console.log(`${log.length} characters of ${kind} became ${text.length}: ${handle}`);
console.log(text);

// Code in the model's own words: above 200 lines its outline is enough.
const code = `\`\`\`ts\n${"export const plank = 1;\n".repeat(201)}\`\`\`\n`;
const reply = `Here it is:\n${code}Done.`;
for (const block of findLongBlocks(reply)) {
  const { message, original } = foldCodeBlock(reply, block);
  console.log(`a block of ${original.length} characters made room: ${message.endsWith("Done.")}`);
}

// A code base: what git ignores is left out, and its files are read once.
const folder = path.join(process.env.EXAMPLE_FOLDER ?? ".", "shop");
mkdirSync(path.join(folder, "src"), { recursive: true });
const files = {
  "refund.ts": "export function refundOrder(order: Order, cents: Money): Refund { return postRefund(order, cents); }",
  "money.ts": "export type Money = number;\nexport const roundMoney = (cents: Money): Money => Math.round(cents);",
  "paint.ts": "export const paintHull = () => 'red';",
};
for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, "src", name), content);
const { files: found, terms } = await retrieve("a partial refund of an order is rounded wrongly", {
  search: createFileSearch(folder),
});
console.log(`${found.map(({ path: file }) => file).join(", ")}; this code base says ${terms.join(", ")}`);
