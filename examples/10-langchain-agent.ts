// A whole agent with LangChain: compaction as a middleware, recall as a tool, memory in the system prompt.
import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent, createMiddleware, tool } from "langchain";
import { createMemoryStore } from "plimsoll";
import { loadMemory, saveMemories } from "plimsoll/files";
import { createThreadTools } from "plimsoll/langchain";
import { renderMemory } from "plimsoll/prompt";

const folder = process.env.EXAMPLE_FOLDER ?? ".";
const task = "On which day was the service slowest?";
saveMemories(folder, [{ topic: "Service", text: "Slow means above 80 ms." }], Date.now());

const readLog = tool(
  ({ day }: { day: number }) =>
    Array.from({ length: 400 }, (_, line) => `day ${day} ${line} request served in ${(line * day) % 89} ms`).join("\n"),
  {
    name: "readLog",
    description: "Reads the log of one day.",
    schema: { type: "object", properties: { day: { type: "number" } }, required: ["day"] },
  },
);

// Middleware and recall of each thread: one never reaches what another stored.
const plimsoll = createThreadTools({ targetTokens: 15_000, store: createMemoryStore() });
const agent = createAgent({
  model: new ChatAnthropic({ model: "claude-sonnet-4-6", anthropicApiUrl: process.env.ANTHROPIC_BASE_URL ?? "" }),
  systemPrompt: renderMemory(loadMemory(folder, task)),
  tools: [readLog, tool(...plimsoll.recall)],
  // The state of the agent stays whole: what is sent is lighter.
  middleware: [createMiddleware(plimsoll.middleware)],
});

// The name of the conversation, as a checkpointer has it.
const configurable = { thread_id: "thread-1" };
const { messages } = await agent.invoke({ messages: [{ role: "user", content: task }] }, { configurable });
console.log(`${messages.length} messages: ${messages.at(-1)?.text}`);
