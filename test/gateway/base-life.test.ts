/** If red: the gateway writes the system prompt again after each break, or changes cache marks that the client set. */
import { describe, expect, it } from "vitest";
import { blocksOf, isRecord, parseMessagesBody } from "../api/messages-body.ts";
import { validateRequest } from "../api/validate-request.ts";
import { calls, lines, person, post } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi, sendCached } from "./raw-api.ts";

const MARK = { cache_control: { type: "ephemeral" } };
const HEAVY = [
  person("Survey the hull."),
  calls(["toolu_1", "Bash", { command: "survey" }]),
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "toolu_1", content: lines(400), ...MARK }],
  },
];
const LIGHT = [person("Survey the hull.")];

const base = (system: object = {}, tool: object = {}) => ({
  system: [
    { type: "text", text: "You survey ships." },
    { type: "text", text: "Quietly.", ...system },
  ],
  tools: [{ name: "Bash", input_schema: { type: "object" }, ...tool }],
});

/** Fields before the messages, or behind them. */
const render = {
  before: (fields: object, messages: readonly object[]) =>
    JSON.stringify({ model: "claude-sonnet-4-6", ...fields, messages, max_tokens: 9 }),
  behind: (fields: object, messages: readonly object[]) =>
    JSON.stringify({ model: "claude-sonnet-4-6", max_tokens: 9, messages, ...fields }),
};

async function send(body: string, options: Parameters<typeof openGateway>[1] = {}): Promise<string> {
  const [sent = ""] = await sendAt([0], body, options);
  return sent;
}

/** The same request again and again, at these minutes. */
async function sendAt(
  minutes: readonly number[],
  body: string,
  options: Parameters<typeof openGateway>[1] = {},
): Promise<readonly string[]> {
  const api = await openRawApi(sendCached);
  let now = 0;
  const gateway = await openGateway(api.url, { nowMs: () => now, ...options });
  for (const minute of minutes) {
    now = minute * 60_000;
    await post(gateway.url, body);
  }
  return api.requests.map((request) => String(request.body));
}

/** The life times of all breakpoints, in the order in which the API reads them. */
function listLives(body: string): readonly string[] {
  const parsed = parseMessagesBody(JSON.parse(body));
  if (typeof parsed === "string") throw new Error(parsed);
  expect(validateRequest(parsed)).toEqual([]);
  const blocks = [...parsed.tools, ...parsed.system, ...parsed.messages.flatMap(({ content }) => blocksOf(content))];
  return blocks.flatMap(({ cache_control: mark }) => (isRecord(mark) ? [String(mark.ttl ?? "5m")] : []));
}

describe.each([["before"], ["behind"]] as const)("system prompt and tools that stand %s the messages", (place) => {
  it("are cached for an hour, and the conversation for five minutes, after two pauses that outlived them", async () => {
    const body = render[place](base(MARK, MARK), HEAVY);
    const all = await sendAt([0, 4, 10, 14, 20, 24, 80], body);
    const [first = "", , , , sent = ""] = all;
    expect(first).toContain("[FOLDED: ");
    expect(all.map((each) => listLives(each)[0])).toEqual(["5m", "5m", "5m", "5m", "1h", "1h", "1h"]);
    expect(listLives(sent)).toEqual(["1h", "1h", "5m"]);
    // Nothing else was changed in them.
    expect(JSON.parse(sent.replaceAll(',"ttl":"1h"', "")).system).toEqual(JSON.parse(body).system);
  });

  it("are cached for an hour from the first request on where the person wants that", async () => {
    expect(listLives(await send(render[place](base(MARK), HEAVY), { baseLife: "1h" }))).toEqual(["1h", "5m"]);
  });

  it("are cached as the client has it where it says for how long", async () => {
    const explicit = { cache_control: { type: "ephemeral", ttl: "5m" } };
    const always = { baseLife: "1h" } as const;
    expect(listLives(await send(render[place](base(MARK, explicit), HEAVY), always))).toEqual(["5m", "5m", "5m"]);
    expect(listLives(await send(render[place](base(explicit), HEAVY), always))).toEqual(["5m", "5m"]);
  });

  it("are cached as the client has it where the person wants that, and where it marks nothing in them", async () => {
    const paused = await sendAt([0, 10, 20, 30], render[place](base(MARK), HEAVY), { baseLife: "client" });
    expect(paused.map(listLives)).toEqual(Array(4).fill(["5m", "5m"]));
    expect(listLives(await send(render[place](base(), HEAVY), { baseLife: "1h" }))).toEqual(["5m"]);
  });

  it("are the bytes that came where nothing has left the conversation", async () => {
    const body = render[place](base(MARK, MARK), LIGHT);
    expect(await send(body)).toBe(body);
  });
});
