import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";

const SAMPLE = path.resolve(import.meta.dirname, "../../../samples/demo-session.jsonl");
const run = (...words: readonly string[]) => runPlimsoll(["preview-compact", "--transcript", SAMPLE, ...words]);

describe("plimsoll preview-compact", () => {
  it("says what would stay, what would leave and by which handle it comes back", async () => {
    const { output } = await run();
    expect(output).toMatch(/^\d+k now, [\d.]+k after/);
    expect(output).toMatch(
      /Keeps: a record of \S+, old exchanges in brief in \S+, and the last \d+ messages \([\d.]+k\) word for word/,
    );
    expect(output).toMatch(/Drops: \d+ messages \([\d.]+k\), \d+ results among them/);
    expect(output).toMatch(/Read .*\(call:\w+\)/);
    expect(output).toMatch(
      /It writes [\d,]+ tokens again, once, for \$[\d.]+\..* paid after \d+ requests? of 20 expected/,
    );
  });

  it("accounts for every token: base, record and tail make up what is left", async () => {
    const preview = JSON.parse((await run("--json")).output);
    const { afterTokens, contextTokens, record, tail, dropped, verdict } = preview;
    expect(afterTokens).toBeLessThan(contextTokens);
    expect(afterTokens).toBeGreaterThan(record.tokens + tail.tokens);
    expect(verdict.price.savedTokens).toBe(contextTokens - afterTokens);
    expect(dropped.results.length).toBeGreaterThan(10);
    expect(record.text).toContain("The conversation before this point was replaced by this record.");
  });

  it("pays later, or not at all, the fewer requests are to come", async () => {
    const [few, many] = [await run("--requests", "1", "--json"), await run("--requests", "100", "--json")];
    const net = ({ output }: { readonly output: string }) => JSON.parse(output).verdict.price.expectedNetUsd;
    expect(net(few)).toBeLessThan(net(many));
    expect(await run("--requests", "none")).toMatchObject({ exitCode: 2 });
  });
});
