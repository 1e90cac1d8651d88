/** If red: the load line on the terminal marks the wrong place for the compaction or breaks in a narrow window. */
import { describe, expect, it } from "vitest";
import { createFakeTerminal } from "../../../test/support/fake-terminal.ts";
import { answer, called, compacted, request } from "../../../test/support/session-events.ts";
import type { SessionEvent } from "../../core/event.ts";
import { assessHealth } from "../../measure/health.ts";
import { createMeter } from "../../measure/meter.ts";
import type { Terminal } from "./command.ts";
import { renderLoadLine } from "./render-parts.ts";

function render(events: readonly SessionEvent[], options: Partial<Terminal> = {}): readonly string[] {
  const meter = createMeter();
  for (const event of events) meter.feed(event);
  return renderLoadLine(assessHealth(meter.state()), createFakeTerminal(options)).split("\n");
}

describe("the load line", () => {
  it("fills the hull up to the load, marks where the client compacts, and says both in words", () => {
    expect(render([request("s1", 50_000)])).toEqual([
      `${"█".repeat(12)}${"░".repeat(28)}┃${"░".repeat(7)}`,
      "GREEN 50.0k of 200k · 30 % of the load line at 167k · 117k to compaction",
    ]);
  });

  it("says how many requests are left where there is a pace", () => {
    const [, words] = render([request("s1", 90_000), request("s2", 100_200)]);
    expect(words).toBe("YELLOW 100k of 200k · 60 % of the load line at 167k · 66.8k to compaction · ≈ 6 requests");
  });

  it("leaves the mark visible when the load is above it", () => {
    const [hull, words] = render([request("s1", 178_000)]);
    expect(hull).toBe(`${"█".repeat(40)}┃██${"░".repeat(5)}`);
    expect(words).toContain("RED 178k of 200k · 107 % of the load line at 167k · 0 to compaction");
  });

  it("calls an estimate an estimate", () => {
    expect(render([request("s1", 150_000), compacted({ postTokens: 3000 })])[1]).toMatch(/^GREEN about \d/);
  });

  it("shows no hull where no size is known, but the number of calls", () => {
    expect(render([answer("s1", undefined, [called("Read", "1")])])).toEqual([
      "GREEN 1 tool calls, size not known yet",
    ]);
  });

  it("is no wider than the terminal, and not too narrow to read", () => {
    const hull = (columns: number) => render([request("s1", 50_000)], { columns })[0]?.length;
    expect([10, 30, 200].map(hull)).toEqual([16, 26, 48]);
  });

  it("is coloured only when asked", () => {
    expect(render([request("s1", 50_000)]).join("")).not.toContain("\u001b");
    expect(render([request("s1", 160_000)], { hasColour: true })[0]).toMatch(/^.\[31m.*.\[0m$/);
  });
});
