// A whole agent with the Vercel AI SDK: compaction in `prepareStep`, recall as a tool, memory in the system prompt.
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { createOriginals } from "plimsoll";
import { createPrepareStep, createRecallTool } from "plimsoll/ai-sdk";
import { loadMemory, saveMemories } from "plimsoll/files";
import { renderMemory } from "plimsoll/prompt";
import { createPlainModel } from "./support/plain-model.ts";

const folder = process.env.EXAMPLE_FOLDER ?? ".";
const prompt = "On which day was the service slowest?";
saveMemories(folder, [{ topic: "Service", text: "Slow means above 80 ms." }], Date.now());

const readLog = tool({
  description: "Reads the log of one day.",
  inputSchema: jsonSchema<{ day: number }>({ type: "object", properties: { day: { type: "number" } } }),
  execute: async ({ day }) =>
    Array.from({ length: 400 }, (_, line) => `day ${day} ${line} request served in ${(line * day) % 89} ms`).join("\n"),
});

const originals = createOriginals();
let decisions = 0;
const { text, steps } = await generateText({
  model: createPlainModel(),
  system: renderMemory(loadMemory(folder, prompt)),
  prompt,
  tools: { readLog, recall: createRecallTool(originals) },
  stopWhen: stepCountIs(20),
  prepareStep: createPrepareStep({
    targetTokens: 15_000,
    store: originals.store,
    onPrepared: ({ ledger }) => {
      decisions = ledger.decisions.length; // save the ledger with the conversation
    },
  }),
});

console.log(`${steps.length} steps, ${decisions} decisions: ${text}`);
