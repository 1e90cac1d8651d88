/** If red: an agent built with the library cannot fetch back what compact removed. */
import { asSchema } from "ai";
import { describe, expect, it } from "vitest";
import { createAiSdkRecallTool } from "./ai-sdk/adapter.ts";
import { createAnthropicRecallTool } from "./anthropic-sdk/adapter.ts";
import { compact } from "./compactor.ts";
import { createLangchainRecallTool } from "./langchain/adapter.ts";
import { createOriginals, createRecallTool } from "./recall-tool.ts";

const output = (day: number): string => Array.from({ length: 300 }, (_, line) => `day ${day} line ${line}`).join("\n");

function history(days: number) {
  const work = Array.from({ length: days }, (_, day) => [
    { role: "assistant", content: [{ type: "tool_use", id: `c${day}`, name: "log", input: { day } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${day}`, content: output(day) }] },
  ]);
  return [{ role: "user", content: "read all" }, ...work.flat()];
}

const WITHOUT_COLLAPSE = { collapseExchanges: { eager: false } };

describe("recall for builders", () => {
  it("gives a result as the tool gave it, though it was folded before its exchange was collapsed", async () => {
    const originals = createOriginals();
    const options = { store: originals.store, targetTokens: 12_000, policy: "off", layers: WITHOUT_COLLAPSE } as const;
    // First folded, by a line that folding alone reaches; later collapsed, with its preview in the segment.
    const first = await compact(history(8), options);
    expect(first.ledger.decisions.map(({ by }) => by)).toContain("foldOutputs");
    const second = await compact(history(40), { ...options, layers: {}, targetTokens: 3_000, ledger: first.ledger });
    const segment = second.ledger.decisions.findLast(({ by }) => by === "collapseExchanges")?.handles[0] ?? "";
    const tool = createRecallTool(originals);
    const text = await tool.run({ handle: `${segment}#1` });
    expect(text).toContain(output(0));
    expect(text).not.toContain("[FOLDED");
    expect(text).not.toMatch(/Full output: plimsoll:/);
  });

  it("is the same in the form of every SDK, and answers a wrong handle in words", async () => {
    const originals = createOriginals();
    const { originals: left } = await compact(history(20), { store: originals.store, targetTokens: 4_000 });
    const handle = left[0]?.handle ?? "";
    const expected = await createRecallTool(originals).run({ handle });
    const [run, fields] = createLangchainRecallTool(originals);
    const aiSdk = createAiSdkRecallTool(originals);
    expect(await createAnthropicRecallTool(originals).run({ handle })).toBe(expected);
    expect(await aiSdk.execute({ handle })).toBe(expected);
    expect(await run({ handle })).toBe(expected);
    expect(fields.schema).toEqual(aiSdk.inputSchema["~standard"].jsonSchema.input());
    // One of the SDK's own by the test that version 5 has, too, which takes nothing else but zod's.
    expect(asSchema(aiSdk.inputSchema)).toBe(aiSdk.inputSchema);
    expect(await createAnthropicRecallTool(originals).run("nonsense")).toContain("Give a handle");
    expect(await run({ handle: "plimsoll:000000000000" })).toContain("Nothing is kept under");
  });

  it("refuses what is no store of originals", () => {
    expect(() => createRecallTool(JSON.parse("{}"))).toThrow("createOriginals()");
  });
});
