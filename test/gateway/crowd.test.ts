/** If red: conversations wait for each other's plans behind the gateway. */
import { describe, expect, it } from "vitest";
import { createBodyPool } from "../../src/entry/gateway/http/body-pool.ts";
import { createSlices } from "../../src/entry/gateway/http/slices.ts";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { createRequestPreparer } from "../../src/entry/gateway/prepare-request.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { renderBody, toolLoop } from "./conversation.ts";
import { createFolder } from "./open-gateway.ts";

/** Keeps the processor busy for so long, as planning does. */
function block(ms: number): void {
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < ms * 1000);
}

describe("a crowd of conversations whose planning takes long", () => {
  it("does not wait for each other's plans: who has waited leaves whole, is counted, and is planned the next time", async () => {
    const planner = createRequestPlanner();
    let pauseMs = 600;
    const plan: typeof planner.plan = (situation) => {
      block(pauseMs);
      return planner.plan(situation);
    };
    const preparer = createRequestPreparer({
      store: createFileStore({ folder: createFolder() }),
      planner: { ...planner, plan },
      slices: createSlices(),
      pool: createBodyPool(),
      nowMs: Date.now,
      budgetMs: 60_000,
      compaction: "pass",
    });
    const render = (index: number, rounds: number): Buffer =>
      Buffer.from(renderBody(toolLoop(rounds, 400), { metadata: { user_id: `user_session_${index}` } }));
    const prepare = (bytes: Buffer) => preparer.prepare(bytes, { user: "", headers: {} }, { purpose: "messages" });
    const isWhole = ({ pieces }: Awaited<ReturnType<typeof prepare>>, bytes: Buffer): boolean =>
      Buffer.concat(pieces).equals(bytes);

    const bodies = Array.from({ length: 6 }, (_, index) => render(index, 1));
    const crowd = await Promise.all(bodies.map(prepare));
    const late = crowd.flatMap((prepared, index) => (prepared.incidents.includes("budget") ? [index] : []));
    expect(late.length).toBeGreaterThan(0);
    expect(late.length).toBeLessThan(bodies.length);
    for (const [index, prepared] of crowd.entries())
      expect(isWhole(prepared, bodies[index] ?? Buffer.alloc(0))).toBe(late.includes(index));

    pauseMs = 0;
    for (const index of late) {
      const next = render(index, 2);
      expect(isWhole(await prepare(next), next)).toBe(false);
    }
  });
});
