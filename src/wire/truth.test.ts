/** If red: compact shows text of another conversation, or brings back what the client has cleared. */
import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { emptyLedger, type Ledger } from "../core/layer.ts";
import { LEDGER_OPENING } from "../layers/ledger/ledger-text.ts";
import { compact } from "./compactor.ts";

type Messages = Anthropic.MessageParam[];

const OPTIONS = { targetTokens: 100_000, layers: { foldOutputs: { atBirth: true } } } as const;
const CLEARED = "[Old tool result content cleared]";

function run(verdict: string, steps = 1): Messages {
  const work = Array.from({ length: steps }, (_, index): Messages => {
    const id = `toolu_${index}`;
    const content = `${index === 0 ? verdict : "later"}\n${`line of ${index}\n`.repeat(300)}`;
    return [
      { role: "assistant", content: [{ type: "tool_use", id, name: "bash", input: { command: `make ${index}` } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ];
  });
  return [{ role: "user", content: "run the tests" }, ...work.flat()];
}

/** The same history with its first result as a client leaves it that clears by itself. */
function withCleared(messages: Messages): Messages {
  return messages.map((message, index) =>
    index === 2
      ? { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_0", content: CLEARED }] }
      : message,
  );
}

async function send(messages: Messages, ledger: Ledger, targetTokens: number = OPTIONS.targetTokens) {
  const made = await compact(messages, { ...OPTIONS, targetTokens, ledger });
  return { ...made, text: JSON.stringify(made.messages) };
}

describe("compact", () => {
  it("shows nothing of one run in another that shares its ids", async () => {
    const alpha = await send(run("PASS (tenant ALPHA)"), emptyLedger);
    expect(alpha.text).toContain("[FOLDED: ");
    const beta = await send(run("FAIL: 3 tests failed (tenant BETA)"), alpha.ledger);
    expect(beta.text).not.toContain("ALPHA");
    expect(beta.text).toContain("FAIL: 3 tests failed (tenant BETA)");
    expect(beta.report).toMatchObject({ replayed: 0, dropped: 1 });
  });

  it("leaves a result cleared that the client has cleared, also inside a collapsed segment", async () => {
    const history = run("SECRET", 30);
    const collapsed = await send(history, emptyLedger, 3_000);
    expect(collapsed.text).toContain(LEDGER_OPENING);
    const cleared = await send(withCleared(history), collapsed.ledger);
    expect(cleared.text).not.toContain("SECRET");
    expect(cleared.text).toContain(CLEARED);
    expect(cleared.report.dropped).toBeGreaterThan(0);
  });

  it("does the same again where nothing differs", async () => {
    const history = run("SECRET", 30);
    const first = await send(history, emptyLedger, 3_000);
    const saved: Ledger = JSON.parse(JSON.stringify(first.ledger));
    const second = await send(structuredClone(history), saved, 3_000);
    expect(second.text).toBe(first.text);
    expect(second.report).toMatchObject({ replayed: first.ledger.decisions.length, dropped: 0 });
  });

  it("drops and counts what an earlier version decided, which says not what it replaces", async () => {
    const history = run("SECRET", 30);
    const { ledger } = await send(history, emptyLedger, 3_000);
    const old: Ledger = JSON.parse(JSON.stringify(ledger), (key, value) => (key === "replaces" ? undefined : value));
    const made = await compact(history, { targetTokens: 100_000, ledger: old });
    expect(made.messages).toBe(history);
    expect(made.report).toMatchObject({ replayed: 0, dropped: expect.any(Number) });
    expect(made.report.dropped).toBeGreaterThan(0);
  });
});
