/** If red: the model behind the gateway is shown a result that its tool did not give. */
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import type { GatewayOptions } from "../../src/entry/gateway/gateway.ts";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { LEDGER_OPENING } from "../../src/layers/ledger/ledger-text.ts";
import { calls, lines, person, post, renderBody, results } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

type Messages = Anthropic.MessageParam[];

const PROMPT: Messages = [{ role: "user", content: "Run the tests." }];
const TOOLS: Anthropic.Tool[] = [{ name: "bash", input_schema: { type: "object" } }];
const CLEARED = "[Old tool result content cleared]";

/** One call of a tool and what it gave back. */
function step(id: string, output: string, command = "npm test"): Messages {
  return [
    { role: "assistant", content: [{ type: "tool_use", id, name: "bash", input: { command } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
  ];
}

/** Its first line is part of any preview. */
const report = (verdict: string, lines = 300): string =>
  [
    verdict,
    ...Array.from({ length: lines }, (_, line) => `checked plank ${line} of the hull, seam and bolt, for ${verdict}`),
  ].join("\n");

/** A gateway in front of an API that keeps what it was sent, and the official SDK as a client of it. */
async function open(options: Partial<GatewayOptions> = {}) {
  const api = await openRawApi();
  const { url } = await openGateway(api.url, options);
  const client = new Anthropic({ apiKey: "made-up", baseURL: url, maxRetries: 0 });
  const send = async (messages: Messages, user?: string): Promise<string> => {
    const metadata = user === undefined ? {} : { metadata: { user_id: `user_x_account__session_${user}` } };
    await client.messages.create({ model: "claude-sonnet-4-6", max_tokens: 9, tools: TOOLS, messages, ...metadata });
    return String(api.requests.at(-1)?.body);
  };
  const readDropped = async (): Promise<number> => {
    const printed = await (await fetch(`${url}/metrics`)).text();
    return Number(/^plimsoll_gateway_dropped_total (\d+)$/m.exec(printed)?.[1]);
  };
  return { send, readDropped };
}

describe.each([
  ["a client that names no session", undefined],
  ["a client that names its session", "5e55"],
])("behind the gateway, %s", (_name, session) => {
  it("gets nothing of one run of a prompt into another, whatever ids they share", async () => {
    const { send, readDropped } = await open();
    const alpha = [...PROMPT, ...step("toolu_1", report("PASS: all tests passed (tenant ALPHA)"))];
    const beta = [...PROMPT, ...step("toolu_1", report("FAIL: 3 tests failed (tenant BETA)"))];
    const first = await send(alpha, session);
    expect(first).toContain("[FOLDED: ");
    const second = await send(beta, session);
    expect(second).not.toContain("ALPHA");
    // It is folded by a decision of its own.
    expect(second).toContain("[FOLDED: ");
    expect(second).toContain("FAIL: 3 tests failed (tenant BETA)");
    await expect.poll(readDropped).toBe(1);
    // Each goes on from what was sent of it before.
    const more = step("toolu_2", "done");
    for (const [before, history] of [[first, alpha] as const, [second, beta] as const]) {
      const sent = JSON.parse(before).messages;
      expect(JSON.parse(await send([...history, ...more], session)).messages.slice(0, sent.length)).toEqual(sent);
    }
  });

  it("has a result that begins as a fold does folded like any other, and whole behind its handle", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const quoted = `[FOLDED: Bash output — 3 lines, 10 chars]\n[recall plimsoll:0123456789ab]\n${lines(400)}`;
    const history = [person("Survey."), calls(["toolu_1", "Bash", { command: "cat" }]), results(["toolu_1", quoted])];
    await (await post(gateway.url, renderBody(history))).arrayBuffer();
    const sent = String(api.requests[0]?.body);
    expect(sent.length).toBeLessThan(quoted.length / 2);
    const handles = [...new Set(sent.match(/plimsoll:[0-9a-f]{12}/g))];
    const originals = await Promise.all(handles.map((handle) => gateway.store.readOriginal(handle)));
    expect(originals).toContain(quoted);
  });

  it("gets the new result of a tool that ran again under its call id", async () => {
    const { send } = await open();
    await send([...PROMPT, ...step("toolu_1", report("FAIL the first time"))], session);
    const again = await send([...PROMPT, ...step("toolu_1", report("PASS this time"))], session);
    expect(again).not.toContain("the first time");
    expect(again).toContain("PASS this time");
  });

  it("keeps cleared what it cleared itself, and folded what was folded next to it", async () => {
    const { send, readDropped } = await open();
    const history = [
      ...PROMPT,
      ...step("toolu_1", report("the old survey")),
      ...step("toolu_2", report("the new survey")),
    ];
    await send(history.slice(0, 3), session);
    await send(history, session);
    const more = step("toolu_3", "done");
    const sent = await send([...PROMPT, ...step("toolu_1", CLEARED), ...history.slice(3), ...more], session);
    expect(JSON.parse(sent).messages[2].content[0].content).toBe(CLEARED);
    expect(sent).not.toContain("the old survey");
    expect(sent).toContain("the new survey");
    expect(sent.match(/\[FOLDED: /g)).toHaveLength(1);
    await expect.poll(readDropped).toBe(1);
  });

  it("has its own clearing stand inside a segment that was collapsed", async () => {
    const { send } = await open({ planner: createRequestPlanner({ lineTokens: 3_000 }) });
    const steps = (first: string): Messages =>
      Array.from({ length: 24 }, (_, round) =>
        step(`toolu_${round}`, round === 0 ? first : report(`round ${round}`, 12), `look --at ${round}`),
      ).flat();
    const before = await send([...PROMPT, ...steps(report("SECRET", 12))], session);
    expect(before).toContain(LEDGER_OPENING);
    const after = await send([...PROMPT, ...steps(CLEARED)], session);
    expect(after).not.toContain("SECRET");
    expect(after).toContain(CLEARED);
  });
});

it("does not change the prefix of one branch by what was decided later on another, where no session is named", async () => {
  const { send } = await open({ planner: createRequestPlanner({ lineTokens: 15_000, policy: "off" }) });
  // Files that were read are folded only when the line is reached.
  const read = (id: string): Messages => [
    {
      role: "assistant",
      content: [
        { type: "tool_use", id, name: "str_replace_based_edit_tool", input: { command: "view", path: `${id}.ts` } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: report(id, 200) }] },
  ];
  const shared = [...PROMPT, ...read("shared")];
  const before = JSON.parse(await send(shared)).messages;
  expect(before).toEqual(shared);
  const [, , folded] = JSON.parse(
    await send([...shared, ...Array.from({ length: 12 }, (_, i) => read(`one_${i}`)).flat()]),
  ).messages;
  expect(JSON.stringify(folded)).toContain("[FOLDED: ");
  const other = JSON.parse(await send([...shared, ...read("other")])).messages;
  expect(other.slice(0, before.length)).toEqual(before);
});
