/** If red: an output is previewed as another kind, and what matters in it is left out. */
import { describe, expect, it } from "vitest";
import { digestOutput } from "./detect-kind.ts";

describe("an output in one line", () => {
  it("is all of it where it is short", () => {
    expect(digestOutput("HTTP/2 200\nx-remaining:   4999\n\netag: abc\n", 100)).toEqual({
      text: "HTTP/2 200 | x-remaining: 4999 | etag: abc",
      isWhole: true,
    });
    expect(digestOutput('{\n  "id": 4411,\n  "state": "open"\n}', 100).text).toBe('{ "id": 4411, "state": "open" }');
  });

  it("is the first, the distinct and the odd lines of a longer one", () => {
    const rows = Array.from({ length: 25 }, (_, index) =>
      index === 7 ? "web-7 0/1 CrashLoopBackOff 42 7d" : `web-${index} 1/1 Running 0 ${index}d`,
    );
    const { text, isWhole } = digestOutput(["NAME READY STATUS RESTARTS AGE", ...rows].join("\n"), 140);
    expect(text).toContain("web-0 1/1 Running 0 0d");
    expect(text).toContain("web-7 0/1 CrashLoopBackOff 42 7d");
    expect(text.length).toBeLessThanOrEqual(140);
    expect(isWhole).toBe(false);
  });

  it("is the messages of a log, not their times or their number", () => {
    const at = (second: number): string => `[stderr] [Hold] 79324  - 02/13/2026, 3:05:${10 + second} AM `;
    const lines = Array.from({ length: 30 }, (_, second) =>
      second % 3 === 0
        ? `${at(second)}ERROR [Pump] Unsupported valve type 4`
        : `${at(second)}  LOG [Pump] Pumping ${second}`,
    );
    const { text } = digestOutput(lines.join("\n"), 128);
    expect(text).toContain("ERROR [Pump] Unsupported valve type 4 (10 lines like this)");
    expect(text).not.toContain("speak of errors");
  });
});
