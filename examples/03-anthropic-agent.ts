// A whole agent with the official SDK: compaction, recall, memory. Originals and memory are on disk.
import { readFile } from "node:fs/promises";
import Anthropic from "@anthropic-ai/sdk";
import { createRecallTool, createSummariser, withPlimsoll } from "plimsoll/anthropic-sdk";
import { loadMemory, openOriginals, saveMemories } from "plimsoll/files";
import { renderMemory } from "plimsoll/prompt";

const model = "claude-sonnet-4-6";
const [folder, task] = [process.env.EXAMPLE_FOLDER ?? ".", process.argv[2] ?? "What do these files do?"];
const originals = openOriginals(folder);
const plain = new Anthropic();
const client = withPlimsoll(plain, {
  targetTokens: 20_000,
  model,
  store: originals.store,
  // Asked when nothing cheaper gets below the line, so old exchanges have to stay until then. What it finds goes into the memory.
  summarise: createSummariser(plain, { model }),
  remember: (memories) => void saveMemories(folder, memories, Date.now()),
  layers: {
    vocabulary: { interpretCall: (_tool, { path }) => ({ kind: path ? "read" : "other", path: `${path}` }) },
    collapseExchanges: { eager: false },
  },
});
const readTool: Anthropic.Tool = { name: "read_file", input_schema: { type: "object", required: ["path"] } };
const recall = createRecallTool(originals);
const messages: Anthropic.MessageParam[] = [{ role: "user", content: task }];
const system = renderMemory(loadMemory(folder, task));
for (;;) {
  const answer = await client.messages.create({ model, max_tokens: 2048, system, tools: [readTool, recall], messages });
  messages.push({ role: "assistant", content: answer.content });
  const results: Anthropic.ToolResultBlockParam[] = [];
  for (const block of answer.content) {
    if (block.type === "text") console.log(block.text);
    if (block.type !== "tool_use") continue;
    const content = block.name === "recall" ? recall.run(block.input) : readFile(Object(block.input).path, "utf8");
    results.push({ type: "tool_result", tool_use_id: block.id, content: await content });
  }
  if (results.length === 0) break;
  messages.push({ role: "user", content: results });
}
