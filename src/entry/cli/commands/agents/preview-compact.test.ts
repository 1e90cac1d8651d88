/** If red: a person who asks what a compaction would take out is shown other messages, sizes or prices. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { putAgreed } from "../../../../../test/support/agree.ts";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../../core/json.ts";
import { renderHeading } from "../../../../layers/ledger/ledger-text.ts";
import { RECORD_OPENING } from "../../../../survive/record/record-opening.ts";

const SAMPLE = path.resolve(import.meta.dirname, "../../../../../samples/demo-session.jsonl");
const RECORD = `${RECORD_OPENING} Requests 1 to 3, 9 calls.\n${"- it is open\n".repeat(99)}\n${renderHeading(9)}\n1. read a.ts`;
const temporary = createTemporaryFolder();
const runOn = (file: string, ...words: readonly string[]) =>
  runPlimsoll(["preview-compact", "--transcript", file, ...words]);
const run = (...words: readonly string[]) => runOn(SAMPLE, ...words);

/** A session of so many calls whose last request carried so many tokens; `start` is what its window begins with. */
function write(tokens: number, start: readonly JsonObject[], { calls = 12, firstTokens = 20_000 } = {}): string {
  const used = (read: number) => ({ input_tokens: 0, cache_read_input_tokens: read });
  const file = path.join(temporary.folder, `${tokens}-${start.length}-${calls}-${firstTokens}.jsonl`);
  const grown = (index: number) => 20_000 + Math.round(((tokens - 20_000) * index) / calls);
  const steps = Array.from({ length: calls }, (_, index) => [
    answer(`m${index}`, [toolUse(`t${index}`, "Bash", { command: `make ${index}` })], used(grown(index))),
    toolResult(`t${index}`, `line ${index} of the output\n`.repeat(200)),
  ]);
  const lines = transcript(
    prompt("fix it"),
    answer("first", ["I look"], used(firstTokens)),
    ...start,
    ...steps.flat(),
    answer("last", ["done"], used(tokens)),
  );
  writeFileSync(file, toFile(lines));
  return file;
}

/** As JSON, once the sum is seen to hold there and in the text. */
async function previewOf(file: string) {
  const preview = JSON.parse((await runOn(file, "--json")).output);
  const { contextTokens, afterTokens, record, ledger, dropped } = preview;
  expect(contextTokens - dropped.tokens + record.tokens + ledger.tokens).toBe(afterTokens);
  const sum = /^([\d,]+) - ([\d,]+) dropped \+ ([\d,]+) for the record \+ ([\d,]+) for the ledger = ([\d,]+)$/m;
  const reported = sum
    .exec((await runOn(file)).output)
    ?.slice(1)
    .map((text) => Number(text.replaceAll(",", "")));
  expect(reported).toEqual([contextTokens, dropped.tokens, record.tokens, ledger.tokens, afterTokens]);
  return preview;
}

describe("plimsoll preview-compact", () => {
  it("says what would stay, what would leave and by which handle it comes back", async () => {
    const { output } = await run();
    expect(output).toMatch(/^\d+k tokens now, [\d.]+k after compacting \(policy balanced\)\n/);
    expect(output).toMatch(
      /Keeps: a record \(\S+ tokens\), a ledger that lists old exchanges \(\S+\), and the last \d+ messages word for word \([\d.]+k\)/,
    );
    expect(output).toMatch(/Drops: \d+ messages \([\d.]+k tokens\), including \d+ tool results/);
    expect(output).toMatch(/Read .*\(call:\w+\)/);
    expect(output).toMatch(
      /The change writes [\d,]+ tokens to the cache again, once, for \$[\d.]+\..* pays off after \d+ requests?; with 20 expected/,
    );
  });

  it("tells after as now, less what is dropped, with what is written, to the token", async () => {
    const preview = await previewOf(SAMPLE);
    expect(preview.afterTokens).toBeLessThan(preview.contextTokens);
    expect(preview.verdict.price.savedTokens).toBe(preview.contextTokens - preview.afterTokens);
    expect(preview.verdict.price.savedTokens).toBeLessThan(preview.dropped.tokens);
    expect(preview.dropped.results.length).toBeGreaterThan(10);
    expect(preview.dropped.summaryTokens).toBe(0);
    expect(preview.record.text).toContain("The conversation before this point was replaced by this record.");
  });

  it.each([
    ["measured far above what the lines weigh", 90_000, [], false],
    ["measured below what the lines weigh", 24_000, [], false],
    // The client keeps its own summary as it does a first prompt.
    ["begun by a model's summary", 60_000, [boundary("l2"), summary("The user wants it fixed. ".repeat(200))], false],
    ["begun by a record of ours", 60_000, [boundary("l2"), summary(RECORD)], true],
  ] as const)("does so for a session %s", async (_, tokens, start, isWrittenAgain) => {
    const preview = await previewOf(write(tokens, start));
    expect(preview.dropped.messages).toBeGreaterThan(0);
    expect(preview.afterTokens).toBeGreaterThan(preview.record.tokens + preview.ledger.tokens);
    expect(preview.dropped.summaryTokens > 0).toBe(isWrittenAgain);
  });

  it("takes an earlier record of ours out and carries its ledger on", async () => {
    const file = write(60_000, [boundary("l2"), summary(RECORD)], { calls: 1 });
    const preview = await previewOf(file);
    expect(preview.dropped).toMatchObject({ messages: 1, tokens: preview.dropped.summaryTokens });
    expect(preview.ledger).toMatchObject({ messages: 1 });
    expect(preview.ledger.tokens).toBeLessThan(preview.dropped.tokens);
    expect((await runOn(file)).output).toMatch(/ from an earlier summary/);
  });

  it("takes the base from the present window, where the transcript begins in the middle of a session", async () => {
    const file = write(60_000, [boundary("l2"), summary("The user wants it fixed.")], { firstTokens: 150_000 });
    expect((await previewOf(file)).dropped.tokens).toBeGreaterThan(5_000);
  });

  it("says that nothing is saved where the record outweighs what it replaces", async () => {
    const file = write(20_000, [], { calls: 1 });
    const preview = await previewOf(file);
    expect(preview.afterTokens).toBe(preview.contextTokens + preview.record.tokens);
    expect(preview.explained).toContain("the change saves nothing");
  });

  it("goes by the policy that the person has set, and a project's own before it", async () => {
    const [home, project] = [path.join(temporary.folder, "home"), path.join(temporary.folder, "project")];
    mkdirSync(path.join(home, ".claude"), { recursive: true });
    mkdirSync(path.join(project, ".plimsoll"), { recursive: true });
    writeFileSync(path.join(home, ".claude", "plimsoll.json"), '{"policy":"cautious"}');
    const file = write(60_000, []);
    const look = async () => {
      const words = ["preview-compact", "--transcript", file];
      const options = { environment: { HOME: home }, directory: project };
      const json = JSON.parse((await runPlimsoll([...words, "--json"], options)).output);
      return { json, text: (await runPlimsoll(words, options)).output };
    };
    const [balanced, cautious] = [await previewOf(file), await look()];
    expect(balanced.policy).toBe("balanced");
    expect(cautious.json.policy).toBe("cautious");
    expect(cautious.text).toMatch(/^.* after compacting \(policy cautious\)\n/);
    expect(cautious.json.tail.messages).toBeGreaterThan(balanced.tail.messages);
    writeFileSync(path.join(project, ".plimsoll", "settings.json"), '{"policy":"thrifty"}');
    expect((await look()).json.policy).toBe("cautious");
    putAgreed(project, ".plimsoll/settings.json", '{"policy":"thrifty"}', path.join(home, ".claude"));
    expect((await look()).json.policy).toBe("thrifty");
  });

  it("pays later, or not at all, the fewer requests are to come", async () => {
    const [few, many] = [await run("--requests", "1", "--json"), await run("--requests", "100", "--json")];
    const net = ({ output }: { readonly output: string }) => JSON.parse(output).verdict.price.expectedNetUsd;
    expect(net(few)).toBeLessThan(net(many));
    expect(await run("--requests", "none")).toMatchObject({ exitCode: 2 });
  });
});
