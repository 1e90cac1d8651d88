/** If red: the published dollars rest on one pricer that is wrong, and the second does not notice. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { recordCompactedSession } from "../../test/support/compacted-session.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { LAB_POLICIES } from "../replay/catalogue.ts";
import { exportRequests, prepareFile, sumUsd } from "./export-requests.ts";
import { priceExported } from "./second-pricer.ts";

const temporary = createTemporaryFolder();
const sample = path.resolve(import.meta.dirname, "../../samples/demo-session.jsonl");

function prepare(text: string) {
  const file = temporary.name(".jsonl");
  writeFileSync(file, text);
  const briefing = prepareFile(file);
  if (!briefing) throw new Error("the session is left out");
  return briefing;
}

describe("a second pricer", () => {
  const sessions = [prepare(recordCompactedSession()), prepare(readFileSync(sample, "utf8"))];

  it.each(LAB_POLICIES)("agrees with the first to the cent, whatever $name sends", (policy) => {
    for (const briefing of sessions) {
      const { lines, outcome } = exportRequests(briefing, policy);
      expect(sumUsd(outcome)).toBeGreaterThan(0.5);
      expect(Math.abs(priceExported(lines) - sumUsd(outcome))).toBeLessThan(0.005);
    }
  });

  it("shares no code with the first", () => {
    const source = readFileSync(path.resolve(import.meta.dirname, "./second-pricer.ts"), "utf8");
    expect(source).not.toMatch(/^\s*import\b|\brequire\(|\bimport\(/m);
  });

  it("prices a long request of the beta as one, and refuses a model that it does not know", () => {
    const line = (model: string, read: number): string =>
      JSON.stringify({ model, input: 0, read, written5m: 0, written1h: 0, output: 1000 });
    expect(priceExported(line("claude-sonnet-4-5-20250929", 200_000))).toBeCloseTo(0.06 + 0.015, 12);
    expect(priceExported(line("claude-sonnet-4-5-20250929", 200_001))).toBeCloseTo(0.1200006 + 0.0225, 12);
    expect(priceExported(line("claude-opus-4-6", 300_000))).toBeCloseTo(0.15 + 0.025, 12);
    expect(() => priceExported(line("gpt-6", 1))).toThrow("no price for gpt-6");
    expect(() => priceExported('{"model":"claude-opus-5"}')).toThrow("no read in an exported request");
  });
});
