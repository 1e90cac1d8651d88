import { describe, expect, it } from "vitest";
import { createRequestPlanner } from "../../src/doors/gateway/plan-request.ts";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi, sendOk } from "./raw-api.ts";

/** Blocks the thread, as planning does. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("a crowd of conversations whose planning takes long", () => {
  it("does not wait for each other's plans: who has waited leaves whole, is counted, and is planned the next time", async () => {
    const api = await openRawApi(sendOk);
    const planner = createRequestPlanner();
    let pauseMs = 0;
    const plan: typeof planner.plan = (situation) => {
      block(pauseMs);
      return planner.plan(situation);
    };
    const gateway = await openGateway(api.url, { planner: { ...planner, plan } });
    const render = (index: number, rounds: number): string =>
      renderBody(toolLoop(rounds, 400), { metadata: { user_id: `user_session_${index}` } });
    const bodies = Array.from({ length: 6 }, (_, index) => render(index, 1));
    pauseMs = 600;
    const answers = await Promise.all(bodies.map((body) => post(gateway.url, body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    const whole = api.requests.filter(({ body }) => bodies.includes(String(body)));
    expect(whole.length).toBeGreaterThan(0);
    expect(whole.length).toBeLessThan(bodies.length);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain(`incidents_total{cause="budget"} ${whole.length}\n`);
    pauseMs = 0;
    for (const { body } of [...whole]) {
      const next = render(bodies.indexOf(String(body)), 2);
      await post(gateway.url, next);
      expect(api.requests.at(-1)?.body.length).toBeLessThan(next.length);
    }
  });
});
