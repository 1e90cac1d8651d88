/** If red: a fault of the gateway costs somebody an answer, or is blamed on the API. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GatewayOptions } from "../../src/entry/gateway/gateway.ts";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi, sendOk } from "./raw-api.ts";

function fail(): never {
  throw new Error("a fault of ours");
}

/** Parts of ours that fail at a moment when nobody waits for them: while an answer passes, and after it. */
const FAULTS: Readonly<Record<string, () => Partial<GatewayOptions>>> = {
  "the weight of a view": () => ({ planner: { ...createRequestPlanner(), weigh: fail } }),
  "the journal": () => ({ store: { ...createFileStore({ folder: createFolder() }), note: fail } }),
  "the facts": () => ({ store: { ...createFileStore({ folder: createFolder() }), saveFacts: fail } }),
  "the traces": () => ({ telemetry: { record: fail, close: async () => undefined } }),
};

describe.each(Object.entries(FAULTS))("a fault in %s", (_name, plant) => {
  const crashes: Error[] = [];
  const listeners = process.listeners("uncaughtException");
  const note = (error: Error): void => void crashes.push(error);
  beforeEach(() => {
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", note);
  });
  afterEach(() => {
    process.off("uncaughtException", note);
    for (const listener of listeners) process.on("uncaughtException", listener);
  });

  it("costs nobody an answer, ends nothing, and is counted", async () => {
    const api = await openRawApi(sendOk);
    const gateway = await openGateway(api.url, plant());
    const body = renderBody(toolLoop(2, 10));
    for (let request = 0; request < 2; request++)
      expect(await (await post(gateway.url, body)).json()).toMatchObject({ id: "msg_1" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(crashes.splice(0)).toEqual([]);
    expect(metrics).toMatch(/incidents_total\{cause="exception"\} [1-9]/);
  });
});

describe("a fault of ours is not the upstream's", () => {
  const count = async (url: string): Promise<readonly string[]> =>
    (await (await fetch(`${url}/metrics`)).text()).match(/(?:upstream_errors|incidents)_total.* [1-9]\d*$/gm) ?? [];

  it.each([
    ["a message", (url: string) => post(url, renderBody(toolLoop(0, 0)))],
    ["anything else", (url: string) => fetch(`${url}/v1/models`)],
  ])("where a request cannot be opened for %s", async (_name, ask) => {
    // Node opens no request to such an address.
    const gateway = await openGateway("ftp://127.0.0.1");
    const answer = await ask(gateway.url);
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining("could not be handled")]);
    expect(await count(gateway.url)).toEqual(['incidents_total{cause="exception"} 1']);
  });
});
