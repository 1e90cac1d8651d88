/** If red: an agent built with the library outgrows its window or reaches another one's originals. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { ClearToolUsesEdit, countTokensApproximately, summarizationMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { findHandles } from "../../src/fold/marker.ts";
import { estimateTextTokens, tokenizerOf } from "../../src/models/tokens.ts";
import { createMemoryStore } from "../../src/wire/create-conversation.ts";
import { AGENTS, countBreaks, readDay } from "./agents.ts";

const DAYS = 40;
const LINE = 20_000;
const TOKENIZER = tokenizerOf("");

/** The same history as it grows, for what LangChain brings itself. */
function history(days: number): BaseMessage[] {
  const read = Array.from({ length: days }, (_, day) => [
    new AIMessage({ id: `a${day}`, content: "", tool_calls: [{ id: `c${day}`, name: "readLog", args: { day } }] }),
    new ToolMessage({ id: `t${day}`, tool_call_id: `c${day}`, content: readDay("first", day) }),
  ]);
  return [new HumanMessage({ id: "h", content: "Read the log of first, one day after the other." }), ...read.flat()];
}

async function countLangchainBreaks(): Promise<readonly number[]> {
  const model = new FakeListChatModel({ responses: ["What was read so far."] });
  const edit = new ClearToolUsesEdit({ trigger: { tokens: LINE } });
  const { beforeModel } = summarizationMiddleware({
    model,
    trigger: { tokens: LINE },
    keep: { messages: 20 },
  } as never);
  const hook = typeof beforeModel === "function" ? beforeModel : beforeModel?.hook;
  const [cleared, summarised]: [object[][], object[][]] = [[], []];
  let state: BaseMessage[] = [];
  for (let days = 0; days <= DAYS; days++) {
    const messages = history(days);
    state = [...state, ...messages.slice(days === 0 ? 0 : -2)];
    await edit.apply({ messages, model, countTokens: countTokensApproximately });
    cleared.push(messages.map(toPlain));
    const found: unknown = await hook?.({ messages: state } as never, { context: {} } as never);
    const next = (found as { messages?: BaseMessage[] } | undefined)?.messages;
    if (next) state = next.filter(({ type }) => type !== "remove");
    summarised.push(state.map(toPlain));
  }
  return [countBreaks(cleared), countBreaks(summarised)];
}

const toPlain = ({ type, content }: BaseMessage): object => ({ type, content });

describe.each(Object.entries(AGENTS))("an agent with the %s, two tenants in one store", (_, run) => {
  it("stays below its line with few breaks, sends nothing invalid, and reaches its own alone", async () => {
    const store = createMemoryStore();
    const task = { days: DAYS, store, targetTokens: LINE };
    const first = await run({ ...task, tenant: "first" });
    const second = await run({ ...task, tenant: "second" });
    const langchain = Math.min(...(await countLangchainBreaks()));
    for (const { requests, invalid } of [first, second]) {
      expect(requests).toHaveLength(DAYS + 1);
      expect(invalid).toEqual([]);
      for (const request of requests) expect(estimateTextTokens(textOf(request), TOKENIZER)).toBeLessThan(LINE * 1.05);
      expect(countBreaks(requests)).toBeLessThanOrEqual(langchain + 1);
      expect(countBreaks(requests)).toBeGreaterThan(0);
    }
    const handles = ({ requests }: typeof first): readonly string[] => [
      ...new Set(requests.flatMap((request) => findHandles(JSON.stringify(request)))),
    ];
    const [foreign = ""] = handles(first);
    expect(foreign).not.toBe("");
    expect(await second.recall(foreign)).toContain("Nothing is kept");
    expect(await second.recall(foreign.slice(0, 17))).not.toContain("first day");
    for (const wrong of [foreign, "plimsoll:000000000000"])
      for (const handle of handles(first))
        expect((await second.recall(wrong)).replace(`"${wrong}"`, "")).not.toContain(handle);
    for (const [ran, tenant] of [
      [first, "first"],
      [second, "second"],
    ] as const)
      expect(await ran.recall(`${handles(ran)[0]}#1`)).toContain(`${tenant} day 0 line 59`);
  });
});

function textOf(messages: readonly object[]): string {
  const texts: string[] = [];
  JSON.stringify(messages, (key, value: unknown) => {
    if (
      typeof value === "string" &&
      !["type", "id", "role", "tool_use_id", "call_id", "thoughtSignature"].includes(key)
    )
      texts.push(value);
    return value;
  });
  return texts.join("\n");
}
