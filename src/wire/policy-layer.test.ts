/** If red: in a loop at a low line a long result breaks the prefix, or what was fetched back is folded again. */
import { describe, expect, it } from "vitest";
import { type CompactOptions, createCompactor } from "../index.ts";

const LONG = Array.from({ length: 200 }, (_, at) => `export const plank_${at} = "oak, ${at} feet";`).join("\n");
const vocabulary = { interpretCall: (tool: string) => ({ kind: tool === "read" ? "read" : "other" }) };

function exchange(id: number, name: string, input: object, words: readonly object[] = []): readonly object[] {
  return [
    { role: "assistant", content: [{ type: "tool_use", id: `c${id}`, name, input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${id}`, content: LONG }, ...words] },
  ];
}

/** What each request says, one exchange more in each, after `many` in the first. */
async function loop(messages: readonly object[], options: CompactOptions, many = 1): Promise<readonly string[][]> {
  const compactor = createCompactor({ targetTokens: 40_000, layers: { vocabulary }, ...options });
  const sent: string[][] = [];
  for (let end = many; end <= messages.length; end += 2)
    sent.push((await compactor.prepare(messages.slice(0, end))).messages.map((message) => JSON.stringify(message)));
  return sent;
}

const output = [
  { type: "function_call", call_id: "c0", name: "read", arguments: "{}" },
  { type: "function_call_output", call_id: "c0", output: LONG },
];
const task = { role: "user", content: "Read the hull." };
const reads = [0, 1, 2].flatMap((id) => exchange(id, "read", { path: `hull${id}.ts` }));
const countFolded = (said: readonly string[] = []): number => said.filter((text) => text.includes("[FOLDED")).length;

describe("a long read in a loop", () => {
  it("is folded as it arrives at a low line, and never later", async () => {
    const sent = await loop([task, ...reads], {});
    expect(sent.map(countFolded)).toEqual([0, 1, 2, 3]);
    for (const [at, said] of sent.entries()) expect(sent[at + 1]?.slice(0, said.length) ?? said).toEqual(said);
  });

  it("stays whole in what the first request held, also if only words follow it", async () => {
    const [first, second] = await loop([task, ...reads, { role: "user", content: "Go on." }, task], {}, 7);
    expect(countFolded(first)).toBe(0);
    expect(second?.slice(0, first?.length)).toEqual(first);
  });

  it.each([
    [
      "a message of the Messages API",
      { first: exchange(0, "read", {}), next: exchange(0, "read", {}, [{ type: "text", text: "Go on." }]) },
    ],
    [
      "an output of the Responses API",
      { format: "openai-responses", first: output, next: [...output, { role: "user", content: "Go on." }] },
    ],
  ] as const)(
    "stays whole in what the first request held, also if words join %s",
    async (_, { first, next, ...more }) => {
      const compactor = createCompactor({ targetTokens: 40_000, layers: { vocabulary }, ...more });
      await compactor.prepare([task, ...first]);
      const { messages } = await compactor.prepare([task, ...next]);
      expect(messages).toEqual([task, ...next]);
      expect(JSON.stringify(messages)).toContain("plank_100");
    },
  );

  it.each([
    ["the line is high", { targetTokens: 120_000 }],
    ["old exchanges wait for the line", { layers: { vocabulary, collapseExchanges: { eager: false } } }],
    ["nothing is to happen below the line", { policy: "off" }],
    ["what is new is kept", { keepTokens: 20_000 }],
  ] as const)("stays whole where %s", async (_, options) => {
    expect((await loop([task, ...reads], options)).map(countFolded)).toEqual([0, 0, 0, 0]);
  });

  it.each([["plimsoll:0123456789ab"], ["0123456789ab#3"], [["plimsoll:0123456789ab"]]])(
    "stays whole if it was fetched back with the handle %j",
    async (handle) => {
      const recalled = exchange(3, "recall", { handle });
      expect((await loop([task, ...reads, ...recalled], {})).map(countFolded)).toEqual([0, 1, 2, 3, 3]);
    },
  );
});
