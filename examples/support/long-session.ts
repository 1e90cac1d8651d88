import type Anthropic from "@anthropic-ai/sdk";

/** A made-up session that has grown long: twenty test runs, each with three hundred lines of output. */
export function createLongSession(runs = 20): Anthropic.MessageParam[] {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Find out which test is flaky." }];
  for (let run = 1; run <= runs; run++) {
    const id = `toolu_${run}`;
    const lines = Array.from({ length: 300 }, (_, line) => `ok ${line} - takes ${(line * run) % 97} ms`);
    if (run % 7 === 0) lines[211] = "FAIL src/cart.test.ts > rounds to the cent: expected 10.01, got 10.00";
    messages.push(
      {
        role: "assistant",
        content: [
          { type: "text", text: `Run ${run}.` },
          { type: "tool_use", id, name: "bash", input: { command: `npm test -- --seed ${run}` } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: lines.join("\n") }] },
    );
  }
  return messages;
}
