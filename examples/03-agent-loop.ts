// A complete small agent: the model streams, its tools start as their blocks arrive, and all five layers keep the
// conversation below its line. Stop it and start it again: ledger and originals lie on disk.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { createSummariser, withPlimsoll } from "plimsoll/anthropic-sdk";
import { emptyLedger, type Ledger } from "plimsoll/core";
import { parseSections } from "plimsoll/layers";
import { createToolExecutor, type ToolOutcome } from "plimsoll/stream";

const model = "claude-sonnet-4-6";
const folder = process.env.EXAMPLE_FOLDER ?? ".agent";
const ledgerFile = path.join(folder, "ledger.json");
await mkdir(folder, { recursive: true });

const plain = new Anthropic();
const client = withPlimsoll(plain, {
  targetTokens: 20_000,
  model,
  ledger: await readLedger(),
  // Called before anything leaves the conversation. Where it fails, nothing leaves.
  store: async (originals) => {
    for (const { handle, text } of originals) await writeFile(originalFile(handle), text);
  },
  onPrepared: ({ ledger }) => writeFile(ledgerFile, JSON.stringify(ledger)),
  layers: {
    // What your tools do: without it no read is known to be stale.
    vocabulary: {
      interpretCall: (tool, input) => ({
        kind: tool === "read_file" ? "read" : "other",
        path: String(input.path ?? ""),
      }),
    },
    // Old exchanges become a ledger, one line a call; `eager: true` would do it as soon as it pays, not only above the line.
    collapseExchanges: { policy: "thrifty" },
  },
  // Asked only when nothing else gets below the line.
  summarise: createSummariser(plain, { model }),
});

const tools: Anthropic.Tool[] = [
  {
    name: "read_file",
    description: "Reads a file.",
    input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
  {
    // The way back: every handle in the conversation names an original.
    name: "recall",
    description:
      "Gives back, word for word, what plimsoll:0123456789ab or a line of it, plimsoll:0123456789ab#7, stands for.",
    input_schema: { type: "object", properties: { handle: { type: "string" } }, required: ["handle"] },
  },
];

const messages: Anthropic.MessageParam[] = [{ role: "user", content: process.argv[2] ?? "What do these files do?" }];
for (;;) {
  const executor = createToolExecutor<Anthropic.ToolUseBlock, string>({ run: runTool });
  const stream = client.messages.stream({ model, max_tokens: 2048, tools, messages });
  stream.on("contentBlock", (block) => {
    if (block.type === "tool_use") void executor.add(block);
  });
  const answer = await stream.finalMessage();
  const outcomes = await executor.finish();
  // The history stays whole: what is sent is lighter, what you keep is not.
  messages.push({ role: "assistant", content: answer.content });
  if (outcomes.length === 0) {
    for (const block of answer.content) if (block.type === "text") console.log(block.text);
    break;
  }
  messages.push({ role: "user", content: outcomes.map(toResult) });
}

function runTool({ name, input }: Anthropic.ToolUseBlock): Promise<string> {
  const { path: file, handle } = { path: "", handle: "", ...(typeof input === "object" ? input : {}) };
  return name === "recall" ? recall(handle) : readFile(file, "utf8");
}

/** One handle stands for a whole stretch of the ledger; a number behind it for one of its lines. */
async function recall(asked: string): Promise<string> {
  const [handle = "", line] = asked.split("#");
  const text = await readFile(originalFile(handle), "utf8");
  return line === undefined ? text : (parseSections(text)?.get(line) ?? `there is no line ${line}`);
}

function toResult(outcome: ToolOutcome<Anthropic.ToolUseBlock, string>): Anthropic.ToolResultBlockParam {
  const result = { type: "tool_result", tool_use_id: outcome.call.id } as const;
  if (outcome.status === "done") return { ...result, content: outcome.result };
  return { ...result, content: String(outcome.status === "failed" ? outcome.error : outcome.reason), is_error: true };
}

async function readLedger(): Promise<Ledger> {
  try {
    return JSON.parse(await readFile(ledgerFile, "utf8"));
  } catch {
    return emptyLedger;
  }
}

/** Handles hold a colon, and a model may invent one: nothing but letters and digits reaches the file system. */
function originalFile(handle: string): string {
  return path.join(folder, `${handle.replace(/[^a-z0-9]/g, "-")}.txt`);
}
