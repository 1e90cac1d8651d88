// The Vercel AI SDK: `prepareStep` gets the whole history before every step of a run, and may send another one.
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { pruneWithPlimsoll } from "plimsoll/ai-sdk";
import { emptyLedger, type Ledger } from "plimsoll/core";
import { createPlainModel } from "./support/plain-model.ts";

const readLog = tool({
  description: "Reads the log of one day.",
  inputSchema: jsonSchema<{ day: number }>({ type: "object", properties: { day: { type: "number" } } }),
  execute: async ({ day }) =>
    Array.from({ length: 400 }, (_, line) => `day ${day} ${line} request served in ${(line * day) % 89} ms`).join("\n"),
});

// Lives as long as the conversation: save it with the conversation's messages.
let ledger: Ledger = emptyLedger;

const { text, steps } = await generateText({
  model: createPlainModel(),
  prompt: "On which day was the service slowest?",
  tools: { readLog },
  stopWhen: stepCountIs(20),
  prepareStep: async ({ messages }) => {
    const pruned = await pruneWithPlimsoll({ messages, targetTokens: 15_000, ledger });
    ledger = pruned.ledger;
    return { messages: pruned.messages };
  },
});

console.log(`${steps.length} steps, ${ledger.decisions.length} decisions: ${text}`);
