/** If red: a recall gives back text of another person's or another conversation's request. */
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../../../survive/recall/recall-request.ts";
import { parseRequest } from "../request/parse-request.ts";
import { createFileStore } from "../store/file-store.ts";
import { addItems, type KnownLedger, type LedgerItem, noLedger } from "../store/gateway-store.ts";
import type { ParsedRequest } from "../wire.ts";
import type { RecalledAnswer, RecalledCall } from "./round.ts";
import {
  addTool,
  createRecallService,
  fetchOriginal,
  findRecallToolName,
  isWithinReach,
  keepRecalled,
} from "./serve-recall.ts";

const temporary = createTemporaryFolder();

const texts = new Map([
  ["plimsoll:aaaaaa111111", "first"],
  ["plimsoll:aaaaaa222222", "second"],
  ["plimsoll:bbbbbb333333", "of another run"],
]);
const store = {
  store: { readOriginal: async (handle: string) => texts.get(handle) },
  left: ["plimsoll:aaaaaa111111", "plimsoll:aaaaaa222222"],
};
const said = async (handle: string): Promise<string> => JSON.stringify(await fetchOriginal({ handle }, store));

describe("what a recall over the wire gives", () => {
  it("is the one original that the digits name", async () => {
    expect(await said("plimsoll:aaaaaa1")).toContain("first");
    expect(await said("plimsoll:aaaaaa222222")).toContain("second");
  });

  it("is never one of two as if the digits named it alone", async () => {
    const answered = await said("plimsoll:aaaaaa");
    expect(answered.includes("first")).toBe(answered.includes("second"));
  });

  it("is nothing that did not leave this request, and that is not named either", async () => {
    const answered = await said("plimsoll:bbbbbb333333");
    expect(answered).toContain('"isError":true');
    expect(answered).not.toContain("of another run");
    expect(await said("plimsoll:bbbbbb999999")).not.toContain("bbbbbb333333");
  });
});

const TOOLS = [{ name: "Bash", input_schema: {} }];
const SYSTEM = [{ type: "text", text: "x", cache_control: { type: "ephemeral" } }];
const MESSAGES = [{ role: "user", content: "x" }];

function parse(body: object): ParsedRequest {
  const request = parseRequest(Buffer.from(JSON.stringify(body)));
  if (!request) throw new Error("the request is none");
  return request;
}

function sent(body: object, isBaseLong: boolean, messages: readonly Uint8Array[] = []): string {
  const request = parse(body);
  return String(Buffer.concat(addTool([request.bytes], { request, isBaseLong }, messages)));
}

describe("the tool that fetches back", () => {
  it.each([
    ["before", { tools: TOOLS, system: SYSTEM, messages: MESSAGES }],
    ["behind", { messages: MESSAGES, system: SYSTEM, tools: TOOLS }],
  ])("stands behind the client's own, and messages behind its messages, with fields %s these", (_name, body) => {
    const tool = { name: "plimsoll_recall", description: RECALL_DESCRIPTION, input_schema: RECALL_PARAMETERS };
    const expected = { ...body, tools: [...TOOLS, tool] };
    expect(sent(body, false)).toBe(JSON.stringify(expected));
    const more = { role: "assistant", content: "y" };
    expect(sent(body, false, [Buffer.from(JSON.stringify(more)), Buffer.from("{}")])).toBe(
      JSON.stringify({ ...expected, messages: [...MESSAGES, more, {}] }),
    );
    const long = [{ ...SYSTEM[0], cache_control: { type: "ephemeral", ttl: "1h" } }];
    expect(sent(body, true)).toBe(JSON.stringify({ ...expected, system: long }));
  });

  it("makes a client's breakpoints last an hour only where the client has set no time on any", () => {
    const marked = { name: "a", cache_control: { type: "ephemeral" } };
    const own = [{ type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "5m" } }];
    const long = (body: object) => sent(body, true).match(/"ttl":"1h"/g)?.length ?? 0;
    expect(long({ tools: [marked, ...TOOLS], system: SYSTEM, messages: MESSAGES })).toBe(2);
    expect(long({ tools: [marked], system: own, messages: MESSAGES })).toBe(0);
    expect(long({ tools: [{ name: "a", cache_control: { type: "other" } }], system: SYSTEM, messages: MESSAGES })).toBe(
      0,
    );
    expect(long({ tools: [{ name: "a", cache_control: null }], system: SYSTEM, messages: MESSAGES })).toBe(1);
  });

  it("has a name that no other tool has, for as long as the tools are the same, and is not given to who has none", () => {
    const name = (tools: unknown) => findRecallToolName(parse({ tools, messages: MESSAGES }));
    const named = (...names: readonly string[]) => names.map((each) => ({ name: each }));
    expect(name(TOOLS)).toBe("plimsoll_recall");
    expect(name([...named("plimsoll_recall"), 7])).toBe("plimsoll_recall_2");
    expect(name(named("plimsoll_recall_2", "plimsoll_recall"))).toBe("plimsoll_recall_3");
    expect(name(undefined)).toBe("plimsoll_recall");
    for (const tools of [[], "x", undefined]) {
      const body = { tools, messages: MESSAGES };
      expect(sent(body, true, [Buffer.from("{}")])).toBe(JSON.stringify(body));
    }
  });
});

describe("what was fetched", () => {
  const [first, second] = ["a".repeat(64), "b".repeat(64)];
  const call = {
    at: 0,
    callId: "c",
    tool: "t",
    input: { handle: `plimsoll:${"a".repeat(12)}` },
    parts: [],
    isError: false,
  };
  const made = (...calls: readonly RecalledCall[]): RecalledAnswer => ({
    kind: "recalled",
    behind: "",
    rounds: [
      { shown: [], calls: [] },
      { shown: [], calls },
    ],
  });

  it("is put back only where all of it was removed from this request, too", () => {
    const within = (recalled: RecalledAnswer) =>
      [[first], [second], [first, second], []].map((left) => isWithinReach(recalled, left));
    expect(within(made({ ...call, needs: [first] }))).toEqual([true, false, true, false]);
    expect(within(made({ ...call, needs: [first] }, { ...call, needs: [second] }))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(within(made({ ...call, needs: [] }))).toEqual([true, true, true, true]);
    // Older versions stored no needs.
    expect(within(made(call))).toEqual([true, false, true, false]);
    expect(within(made({ ...call, isError: true }))).toEqual([true, true, true, true]);
    expect(within(made({ ...call, input: {} }))).toEqual([true, true, true, true]);
  });

  it("is stored behind what others have stored meanwhile, and given up after five times", async () => {
    const asked: number[] = [];
    const store = (fails: number) => ({
      ...createFileStore({ folder: temporary.name("") }),
      readLedger: async () => ({ ...noLedger, version: asked.length }),
      appendDecisions: async (_session: string, items: readonly LedgerItem[], known: KnownLedger) => {
        asked.push(known.version);
        return asked.length <= fails ? undefined : addItems(known, items, known.version + 1);
      },
    });
    const kept = await keepRecalled(made(call), "s", noLedger, store(2));
    expect([kept?.recalls, kept?.version, asked.splice(0)]).toEqual([[made(call)], 3, [0, 1, 2]]);
    expect(await keepRecalled(made(call), "s", noLedger, store(5))).toBeUndefined();
    expect(asked).toEqual([0, 1, 2, 3, 4]);
  });

  it("is told with the hashes of all that it gave back or named, or why it failed", async () => {
    const texts = new Map([
      [first, "The first."],
      [second, `It names plimsoll:${"a".repeat(12)} and plimsoll:${"c".repeat(12)}.`],
    ]);
    const request = parse({ tools: TOOLS, messages: MESSAGES });
    const kept: RecalledAnswer[] = [];
    const service = (readOriginal: (hash: string) => Promise<string | undefined>) =>
      createRecallService({
        ...{ request, pieces: [request.bytes], left: [first, second], isBaseLong: false },
        store: { ...createFileStore({ folder: temporary.name("") }), readOriginal },
        keep: async (recalled) => kept.push(recalled) > 0,
      });
    const { answer, keep, goOn, tool, wire } = service(async (hash) => texts.get(hash));
    expect([tool, wire.route]).toEqual(["plimsoll_recall", "messages"]);
    const asked = { callId: "c", input: { handle: `plimsoll:${second.slice(0, 12)}` }, at: 3 };
    expect(await answer(asked)).toMatchObject({ ...asked, tool, isError: false, needs: [second, first] });
    const missing = await answer({ ...asked, input: { handle: "plimsoll:cccccccccccc" } });
    // The answer names what there is.
    expect(missing).toMatchObject({ isError: true, needs: [first, second] });
    const failed = await service(() => Promise.reject(new Error("away"))).answer(asked);
    expect(failed).toMatchObject({ isError: true, parts: [{ kind: "text", text: "Recall failed: away" }] });
    expect(String(Buffer.concat(await goOn([Buffer.from("{}")])))).toContain(
      '"messages":[{"role":"user","content":"x"},{}]',
    );
    expect(await keep([])).toBe(true);
    expect(kept).toEqual([{ kind: "recalled", behind: "", rounds: [] }]);
  });
});
