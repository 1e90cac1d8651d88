/** If red: compact ignores an option or takes a wrong one without a word. */
import { describe, expect, it } from "vitest";
import { compact } from "./compactor.ts";

function history(exchanges: number, tool = "bash") {
  const work = Array.from({ length: exchanges }, (_, index) => {
    const id = `toolu_${index}`;
    const content = `line of output ${index}\n`.repeat(300);
    return [
      { role: "assistant", content: [{ type: "tool_use", id, name: tool, input: { command: `make ${index}` } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ];
  });
  return [{ role: "user", content: "make it all" }, ...work.flat(), { role: "assistant", content: "done" }];
}

describe("the options of compact", () => {
  it.each([
    [{ targetTokens: 10, targetToken: 10 }, 'unknown option "targetToken": did you mean targetTokens?'],
    [{ targetTokens: 10, layers: { foldOutput: {} } }, 'unknown layers option "foldOutput": did you mean foldOutputs?'],
    [{ targetTokens: 10, zebra: 1 }, 'unknown option "zebra": the known names are targetTokens'],
    [{ targetShare: 0.5, model: "nobody-knows-1" }, "targetShare needs a model whose window is known"],
    [{ targetShare: 50, model: "claude-sonnet-4-6" }, "targetShare must be above 0 and below 1"],
    [{ targetShare: 0.5, targetTokens: 5, model: "claude-sonnet-4-6" }, "targetTokens must be"],
    [{ targetTokens: 10, format: "zebra" }, "format must be one of anthropic, openai-chat"],
  ])("%j are refused, by name", async (options, message) => {
    await expect(compact([], JSON.parse(JSON.stringify(options)))).rejects.toThrow(message);
  });

  it("take a share of the model's window for the line", async () => {
    const { report } = await compact(history(40), { targetShare: 0.05, model: "claude-sonnet-4-6" });
    expect(report.targetTokens).toBe(10_000);
    expect(report.tokensAfter).toBeLessThanOrEqual(10_000);
  });

  it("keep what the caller keeps, call and result together, in its place, while everything around it goes", async () => {
    const messages: readonly object[] = history(30);
    const { messages: light, report } = await compact(messages, {
      targetTokens: 8_000,
      keep: (block) => block.kind === "toolResult" && block.callId === "toolu_5",
    });
    expect(report.tokensAfter).toBeLessThan(8_000);
    const at = light.indexOf(messages[11] ?? {});
    expect(at).toBeGreaterThan(0);
    expect(light[at + 1]).toBe(messages[12]);
    expect(light).not.toContain(messages[14]);
  });

  it("leave the calls of excluded tools as they are, and would not without the option", async () => {
    const others = JSON.parse(JSON.stringify(history(30)).replaceAll("toolu_", "other_"));
    const messages: readonly object[] = [...history(1, "plan"), ...others];
    const plan = messages.slice(1, 3);
    const kept = await compact(messages, { policy: "off", targetTokens: 8_000, excludeTools: ["plan"] });
    for (const message of plan) expect(kept.messages).toContain(message);
    expect((await compact(messages, { policy: "off", targetTokens: 8_000 })).messages).not.toContain(plan[1]);
  });
});
