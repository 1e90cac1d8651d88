/** If red: on a busy machine the gateway stops folding. */
import { type ChildProcess, spawn } from "node:child_process";
import { loadavg } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls, lines, person, renderBody, results } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

const LOOPS = 20;
const CONVERSATIONS = 20;
/** As a gateway has it by default. */
const BUDGET_MS = 50;

const loops: ChildProcess[] = [];

/** A conversation whose newest result is large enough to be folded. */
function renderConversation(index: number): string {
  const id = `toolu_${index}`;
  const messages = [
    person(`Survey hull ${index}.`),
    calls([id, "Bash", { command: `survey ${index}` }]),
    results([id, `${lines(400)}\nhull ${index}`]),
  ];
  return renderBody(messages, { metadata: { user_id: `user_session_${index}` } });
}

/** How many of them left folded. */
async function countFolded(options: { readonly budgetMs?: number }): Promise<number> {
  const api = await openRawApi();
  const gateway = await openGateway(api.url, options);
  const bodies = Array.from({ length: CONVERSATIONS }, (_, index) => renderConversation(index));
  // Two at a time: a crowd that begins in one moment is held to another limit, the time that it waits for itself.
  const worker = async (): Promise<void> => {
    for (let body = bodies.shift(); body !== undefined; body = bodies.shift())
      await (await fetch(`${gateway.url}/v1/messages`, { method: "POST", body })).text();
  };
  await Promise.all([worker(), worker()]);
  return gateway.totals().edited;
}

describe("on a machine with twenty times as much to do as it can", () => {
  beforeAll(() => {
    for (let index = 0; index < LOOPS; index++)
      loops.push(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  });
  afterAll(() => {
    for (const loop of loops) loop.kill("SIGKILL");
  });

  it("at least nine of ten that would be folded are folded", async () => {
    const wanted = await countFolded({});
    const folded = await countFolded({ budgetMs: BUDGET_MS });
    console.log(`${folded} of ${wanted} folded, load ${loadavg()[0]?.toFixed(1)}`);
    expect(wanted).toBe(CONVERSATIONS);
    expect(folded).toBeGreaterThanOrEqual(0.9 * wanted);
  });
});
