/** If red: a recall is answered to the wrong call, or its usage is billed twice. */
import { expect, it } from "vitest";
import {
  addRoundUsage,
  callIdOf,
  hasOwnCall,
  isCall,
  listAsked,
  listShown,
  mergeUsage,
  pairBlocks,
  type Round,
} from "./round.ts";

const TOOL = "plimsoll_recall";
const TEXT = { type: "text", text: "Aye." };
const recall = (id: string, input: unknown = { handle: "a" }) => ({ type: "tool_use", id, name: TOOL, input });
const OWN = { type: "tool_use", id: "own", name: "Bash", input: {} };
const round = (blocks: readonly object[], stopReason = "tool_use"): Round => ({
  blocks: blocks.map((raw) => ({ raw: JSON.parse(JSON.stringify(raw)), bytes: Buffer.from(JSON.stringify(raw)) })),
  stopReason,
  usage: {},
});

it("blocks are paired with their bytes, all of them or none", () => {
  const bytes = Buffer.from('[ {"a":1.0} ,{}]');
  const paired = pairBlocks([{ a: 1 }, {}], bytes);
  expect(paired?.map(({ raw, bytes: own }) => [raw, String(own)])).toEqual([
    [{ a: 1 }, '{"a":1.0}'],
    [{}, "{}"],
  ]);
  expect(pairBlocks([], Buffer.from("[]"))).toEqual([]);
  for (const list of [[{ a: 1 }], [{ a: 1 }, 7], [{}, {}, {}], "x", undefined])
    expect(pairBlocks(list, bytes)).toBeUndefined();
  expect(pairBlocks([], undefined)).toBeUndefined();
});

it("what the model asks back is known by its name and place, and not after an answer that broke off in a call", () => {
  const blocks = [recall("r1"), TEXT, OWN, recall("r2", "x"), recall("")];
  expect(listAsked(round(blocks), TOOL)).toEqual([
    { callId: "r1", input: { handle: "a" }, at: 0 },
    { callId: "r2", input: {}, at: 2 },
  ]);
  expect(listAsked(round(blocks, "max_tokens"), TOOL)).toEqual([]);
  expect(listShown(round(blocks), TOOL).map(({ raw }) => raw)).toEqual([TEXT, OWN]);
  expect([hasOwnCall(round(blocks), TOOL), hasOwnCall(round([TEXT, recall("r1")]), TOOL)]).toEqual([true, false]);
});

it("the other API's calls are known by their words", () => {
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: TOOL };
  const listed = [{ ...call, arguments: '{"handle":"b"}' }, { ...call, call_id: 7, arguments: "[1]" }, call];
  expect(listAsked(round(listed), TOOL)).toEqual([
    { callId: "call_1", input: { handle: "b" }, at: 0 },
    { callId: "fc_1", input: {}, at: 0 },
    { callId: "call_1", input: {}, at: 0 },
  ]);
  expect([callIdOf({ id: 1 }), callIdOf({ id: "a" })]).toEqual(["", "a"]);
  const types = ["tool_use", "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "text"];
  expect(types.map((type) => isCall({ type }))).toEqual([true, true, true, true, false, false]);
});

it("the usage of several requests is their sum, number by number, and otherwise what was said last", () => {
  const one = { input_tokens: 1, tier: "a", cache: { five: 2 }, gone: 3, kept: 4 };
  const other = { input_tokens: 10, tier: "b", cache: { five: 20, hour: 1 }, gone: null, later: null, kept: "x" };
  expect(addRoundUsage(one, other)).toEqual({
    ...{ input_tokens: 11, tier: "b", cache: { five: 22, hour: 1 } },
    ...{ gone: 3, later: null, kept: "x" },
  });
});

it("what the end of an answer leaves out of its usage, or has at zero, was said at its start", () => {
  const start = { input_tokens: 7, output_tokens: 1, none: 0 };
  expect(mergeUsage(start, { input_tokens: 0, output_tokens: 33, none: null, more: 0 })).toEqual({
    ...{ input_tokens: 7, output_tokens: 33 },
    ...{ none: null, more: 0 },
  });
});
