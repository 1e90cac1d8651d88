import { describe, expect, it } from "vitest";
import { blocksOf, isRecord, parseMessagesBody } from "../api/messages-body.ts";
import { validateRequest } from "../api/validate-request.ts";
import { calls, lines, person, post } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

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
  const api = await openRawApi();
  const gateway = await openGateway(api.url, options);
  await post(gateway.url, body);
  return String(api.requests[0]?.body);
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
  it("are cached for an hour, and the conversation for five minutes, once something has left it", async () => {
    const body = render[place](base(MARK, MARK), HEAVY);
    const sent = await send(body);
    expect(sent).toContain("[FOLDED: ");
    expect(listLives(sent)).toEqual(["1h", "1h", "5m"]);
    // Nothing else was changed in them.
    expect(JSON.parse(sent.replaceAll(',"ttl":"1h"', "")).system).toEqual(JSON.parse(body).system);
  });

  it("are cached as the client has it where it says for how long", async () => {
    const explicit = { cache_control: { type: "ephemeral", ttl: "5m" } };
    expect(listLives(await send(render[place](base(MARK, explicit), HEAVY)))).toEqual(["5m", "5m", "5m"]);
    expect(listLives(await send(render[place](base(explicit), HEAVY)))).toEqual(["5m", "5m"]);
  });

  it("are cached as the client has it where the person wants that, and where it marks nothing in them", async () => {
    expect(listLives(await send(render[place](base(MARK), HEAVY), { baseLife: "client" }))).toEqual(["5m", "5m"]);
    expect(listLives(await send(render[place](base(), HEAVY)))).toEqual(["5m"]);
  });

  it("are the bytes that came where nothing has left the conversation", async () => {
    const body = render[place](base(MARK, MARK), LIGHT);
    expect(await send(body)).toBe(body);
  });
});
