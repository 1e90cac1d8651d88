import { createBodyPool } from "./http/body-pool.ts";
import { createSlices } from "./http/slices.ts";
import type { RequestPlanner } from "./plan-request.ts";
import { createRequestPreparer } from "./prepare-request.ts";
import { addItems, type GatewayStore, noLedger } from "./store/gateway-store.ts";

/** A line of what agents' commands print: each kind of output has code of its own that shortens it. */
const OUTPUTS: Readonly<Record<string, (line: number) => string>> = {
  "cat src/hull.ts": (line) => `export const draught${line} = compute("mark ${line}", ${line * 7919});`,
  "git diff": (line) => `${"+- "[line % 3]}  const draught${line} = measure(${line * 7919});`,
  "npm test": (line) =>
    line % 30 === 0 ? ` ✗ hull ${line} > Error: expected ${line}` : ` ✓ hull ${line} (${line} ms)`,
  "grep -rn draught src": (line) => `src/part${line % 9}/hull${line}.ts:${line}:  draught: ${line * 7919},`,
  "cat ships.json": (line) =>
    `${line === 0 ? "[" : ""}{"ship": "hull ${line}",\n  "marks": {"draught": ${line * 7919}}},`,
  "tail ship.log": (line) =>
    `2026-11-18T10:00:${line % 60} ${line % 20 === 0 ? "ERROR" : "INFO"} hull ${line * 7919} ok`,
  "ls -R": (line) => `./src/part${line % 9}/hull${line}.ts`,
};
const LINES = 160;
/** More of them would delay the start by more than they save in the first requests. */
const ROUNDS = 2;

/** The first runs of code are slow: better on made-up requests, on the path of all others, than on a person's first. */
async function warmUp(planner: RequestPlanner): Promise<void> {
  const open = { store: createMemoryStore(), planner, slices: createSlices(), pool: createBodyPool(), nowMs: () => 0 };
  const preparer = createRequestPreparer({ ...open, budgetMs: 60_000, compaction: "pass" });
  for (let round = 0; round < ROUNDS; round++) {
    const body = Buffer.from(JSON.stringify(renderRequest(round)));
    await preparer.prepare(body, { user: "", headers: {} }, { purpose: "messages" });
  }
}

/** One exchange that was sent before, and one that is new: each with every kind of output. */
function renderRequest(round: number) {
  const exchanges = [0, 1].flatMap((exchange) => {
    const calls = Object.entries(OUTPUTS).map(([command, render], index) => {
      const from = (2 * round + exchange) * LINES;
      const content = Array.from({ length: LINES }, (_, line) => render(from + line)).join("\n");
      return { id: `toolu_${exchange}_${index}`, command, content };
    });
    const uses = calls.map(({ id, command }) => ({ type: "tool_use", id, name: "Bash", input: { command } }));
    const results = calls.map(({ id, content }) => ({ type: "tool_result", tool_use_id: id, content }));
    return [
      { role: "assistant", content: uses },
      { role: "user", content: results },
    ];
  });
  const tools = Array.from({ length: 12 }, (_, index) => {
    const description = "Measures a hull. ".repeat(200);
    return { name: `Measure${index}`, description, input_schema: { type: "object", properties: {} } };
  });
  const metadata = { user_id: `user_session_${round}` };
  const messages = [{ role: "user", content: "Survey the hull." }, ...exchanges];
  return { model: "claude-sonnet-4-6", metadata, tools, messages };
}

/** Keeps nothing. */
function createMemoryStore(): GatewayStore {
  const nothing = (): undefined => undefined;
  return {
    readLedger: async () => noLedger,
    holdLedger: async () => ({ ledger: noLedger, isHeld: true, release: nothing }),
    appendDecisions: async (_session, items, known) => addItems(known, items, known.version + 1),
    keepOriginals: async () => undefined,
    readOriginal: async () => undefined,
    readFacts: async () => undefined,
    saveFacts: nothing,
    note: nothing,
    lost: () => 0,
    check: async () => undefined,
    close: async () => undefined,
  };
}

/** A planner that fails here also fails open with every request. */
export function tryWarmUp(planner: RequestPlanner): Promise<void> {
  // Counted as an incident as soon as it affects a request.
  return warmUp(planner).catch(() => undefined);
}
