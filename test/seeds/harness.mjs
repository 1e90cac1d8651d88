// A harness of one's own, written against the published package: every part that seed 002 asks of one, once, in its order.
// `002.deep.test.ts` runs it in a project that holds the packed package and nothing else of this repository.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import Anthropic from "@anthropic-ai/sdk";
import { createOriginals, estimateMessageTokens } from "plimsoll";
import { createRecallTool, createSummariser, parseUsage, withPlimsoll } from "plimsoll/anthropic-sdk";
import { loadMemory, readInstructionFiles, readStalenessFacts, saveMemories } from "plimsoll/files";
import { describeSummarySizes, listRequests } from "plimsoll/measure";
import {
  assemblePrompt,
  checkStability,
  checkStaleness,
  findRuleConflicts,
  fitInstructions,
  placeBreakpoints,
  renderMemory,
  renderRuleConflicts,
  renderStability,
  renderSystem,
} from "plimsoll/prompt";
import { createToolExecutor } from "plimsoll/stream";

const model = "claude-sonnet-4-6";
const root = path.join(process.cwd(), "shop");
const [, , task, ...asides] = process.argv;
const activeFile = "packages/api/refund.ts";

// Instructions: organisation, user, root, then down to the active file; each once, within budgets, held against the project.
const places = { organisation: path.resolve("organisation.md"), user: path.resolve("user.md"), root, top: root };
const { files } = readInstructionFiles({ ...places, activeFile });
console.log(renderRuleConflicts(findRuleConflicts(files)));
for (const file of files)
  for (const { what } of checkStaleness(file, readStalenessFacts(root, file.path, Date.now())))
    console.log(`stale: ${path.relative(root, file.path)} names ${what}`);

// The prompt: what never changes, the boundary, what may. The memory's index is always in, its topics only when they help.
const prompts = [];
function assemble() {
  prompts.push(
    assemblePrompt([
      { name: "Intro", kind: "static", text: "You look after an online shop." },
      { name: "System rules", kind: "static", text: "Say what you saw, never what you meant. ".repeat(400) },
      { name: "Environment", kind: "dynamic", text: `task: ${task.slice(0, 40)}` },
      { name: "Instruction files", kind: "dynamic", text: fitInstructions(files).text },
      { name: "Memory", kind: "dynamic", text: renderMemory(loadMemory(root, task)) },
    ]),
  );
  return renderSystem(prompts.at(-1));
}

// Five layers, cheapest first. Whatever leaves is stored before it does; a summary and its memories come in one answer.
const plain = new Anthropic();
const originals = createOriginals();
const recall = createRecallTool(originals);
const reports = [];
let compacted;
const client = withPlimsoll(plain, {
  targetTokens: 20_000,
  model,
  store: originals.store,
  onPrepared: (prepared) => {
    compacted = prepared;
    reports.push(prepared.report);
  },
  layers: {
    vocabulary: {
      interpretCall: (tool, input) => ({ kind: tool === "Read" ? "read" : "other", path: `${input.path}` }),
    },
    // Old exchanges go last, after what is cheaper to have back.
    collapseExchanges: { policy: "thrifty", eager: false },
  },
  summarise: createSummariser(plain, { model }),
  remember: (found) => void saveMemories(root, found, Date.now()),
});

const TOOLS = {
  Read: ({ path: file }) => readFile(file, "utf8"),
  Bash: async ({ command }, signal) => (await promisify(execFile)("sh", ["-c", command], { signal })).stdout,
  recall: recall.run,
};
const described = (name) => ({ name, description: name, input_schema: { type: "object" } });
const tools = [described("Read"), described("Bash"), recall];

// The loop: a tool starts when its block has arrived, not when the answer has.
const messages = [{ role: "user", content: task }];
const events = [];
for (let step = 1, goesOn = true; goesOn; step++) {
  const { request } = placeBreakpoints({ model, max_tokens: 2048, tools, system: assemble(), messages });
  const executor = createToolExecutor({ run: ({ name, input }, signal) => TOOLS[name](input, signal) });
  const stream = client.messages.stream(request);
  stream.on("contentBlock", (block) => {
    if (block.type !== "tool_use") return;
    if (step === 1) console.log(`started ${block.name}`);
    void executor.add(block);
  });
  const answer = await stream.finalMessage();
  if (step === 1) console.log("answered");
  const outcomes = await executor.finish();
  for (const { call, status } of outcomes)
    if (status !== "done") console.log(`${status}: ${JSON.stringify(call.input)}`);
  messages.push({ role: "assistant", content: answer.content });
  const calls = answer.content.filter(({ type }) => type === "tool_use");
  const blocks = calls.map(({ id, name, input }) => ({ kind: "toolCall", id, callId: id, tool: name, input }));
  const stamp = { origin: "", atMs: Date.now(), model, isOutputFinal: true };
  events.push({ kind: "output", stepId: answer.id, usage: parseUsage(answer.usage), blocks, ...stamp });
  goesOn = outcomes.length > 0;
  // What the person says while the model works comes with the results.
  const said = asides.splice(0, 1).map((text) => ({ type: "text", text }));
  if (goesOn) messages.push({ role: "user", content: [...outcomes.map(toResult), ...said] });
}

function toResult({ call, status, result, error, reason }) {
  const content = status === "done" ? result : String(error ?? reason);
  return { type: "tool_result", tool_use_id: call.id, content, ...(status !== "done" && { is_error: true }) };
}

// What it came to: the prefix, every request, the summaries, the layers.
console.log(renderStability(checkStability(prompts)));
const sizes = (compacted?.state.accepted ?? []).map(({ messages: summary }) =>
  summary.reduce((sum, message) => sum + estimateMessageTokens(message, "dense"), 0),
);
const acted = reports.map(({ layers }) => layers.filter(({ applied }) => applied > 0).map(({ layer }) => layer));
const results = {
  requests: listRequests(events),
  summaries: describeSummarySizes(sizes),
  acted,
  ledger: compacted?.ledger.decisions.map(({ by }) => by),
  handles: compacted?.ledger.decisions.flatMap(({ handles }) => handles),
  stored: originals.hashes().map((hash) => `plimsoll:${hash.slice(0, 12)}`),
};
await writeFile("results.json", JSON.stringify(results));
