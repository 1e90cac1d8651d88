/** If red: plimsoll now shows a wrong cost, promises a saving that the policy would not make, or misses the newest session. */
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, toolResult, toolUse, transcript } from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";
import { keepLastReplay } from "../../../recorded/last-replay.ts";

const temporary = createTemporaryFolder();
/** A minute after the sessions were recorded. */
const SOON = Date.UTC(2026, 0, 1, 0, 1);
let homes = 0;

/** A home with these sessions, the newest first. */
function writeHome(...sessions: readonly (readonly JsonObject[])[]): { readonly HOME: string } {
  const home = path.join(temporary.folder, `home-${++homes}`);
  const folder = path.join(home, ".claude", "projects", "-work-project");
  mkdirSync(folder, { recursive: true });
  for (const [index, drafts] of sessions.entries()) {
    const file = path.join(folder, `session-${index}.jsonl`);
    writeFileSync(file, toFile(transcript(...drafts)));
    utimesSync(file, 1000 - index, 1000 - index);
  }
  return { HOME: home };
}

function session(title: string, tokens: number): readonly JsonObject[] {
  const used = { input_tokens: 0, cache_read_input_tokens: tokens - 1000, cache_creation_input_tokens: 1000 };
  return [
    { type: "custom-title", customTitle: title },
    { ...prompt("fix it"), cwd: "/work/project" },
    answer(`m ${title}`, ["done"], used),
  ];
}

async function look(environment: Readonly<Record<string, string>>) {
  const { output, exitCode } = await runPlimsoll(["now", "--json"], { environment });
  expect(exitCode).toBe(0);
  return JSON.parse(output);
}

describe("plimsoll now", () => {
  it("says of a cost in which something is missing that it is a lower bound", async () => {
    const [title = {}, asked = {}, answered = {}] = session("unpriced", 20_000);
    const other = answer("m other", ["done"], { output_tokens: 5 });
    const message = typeof other.message === "object" ? other.message : {};
    const unpriced = { ...other, message: { ...message, model: "somebody-elses-model" } };
    const environment = writeHome([title, asked, answered, prompt("more"), unpriced]);
    const { output } = await runPlimsoll(["now"], { environment });
    expect(output).toMatch(/What the session has cost so far\n {2}at least \$0\.0/);
    expect(output).toContain("  at least: 1 request used a model without a known price");
    expect(await look(environment)).toMatchObject({ unpricedRequests: 1, unfinalOutputRequests: 0 });
  });

  it("takes a replay whose answer it cannot read for none", async () => {
    const environment = writeHome(session("one", 20_000));
    keepLastReplay(environment, "{}");
    const { output } = await runPlimsoll(["now"], { environment, nowMs: () => SOON });
    expect(output).toContain("Savings not calculated yet. Run: plimsoll replay");
  });

  it("shows the newest session in full, and four before it in a line each", async () => {
    const environment = writeHome(...[1, 2, 3, 4, 5, 6].map((index) => session(`number ${index}`, index * 20_000)));
    const { output } = await runPlimsoll(["now"], { environment, nowMs: () => SOON });
    expect(output.replaceAll(environment.HOME, "HOME")).toMatchInlineSnapshot(`
      "Nothing to do: the window is at 12 % of its compaction point. See what fills the
      window. Run: plimsoll inspect --session session-0
      your newest session: number 1

      Spent today $0.24 · this week $0.24 (last week nothing) · this month $0.24

      Limits
        5 hours: $0.24 in 6 requests, resets in 4 h 59 min (from your session files)
        7 days: $0.24 in 6 requests (from your session files)

      Your last 30 days: $0.24 in 6 sessions
            plimsoll stats --by session --since 30d
        Savings not calculated yet. Run: plimsoll replay

      number 1
      in /work/project: HOME/.claude/projects/-work-project/session-0.jsonl
      █████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░┃░░░░░░░
      GREEN 20.0k of 200k · 12 % of the load line at 167k · 147k to compaction
      source: usage (exact): usage of the last request

      What fills the window
        system prompt and tools  20.0k  100 %
        your prompts                12  0.1 %
        unaccounted                  0  0.0 %

      What the session has cost so far
        $0.0158

      Earlier sessions
        2  40.0k           $0.0258    number 2
        3  60.0k           $0.0358    number 3
        4  80.0k           $0.0458    number 4
        5  100k            $0.0558    number 5

      More: plimsoll inspect --session session-0, plimsoll stats, plimsoll --help
      "
    `);
  });

  it("tells what the last days came to, each number with a command that shows what is behind it", async () => {
    const hourLater = { timestamp: "2026-01-01T02:00:00.000Z" };
    const [title = {}, asked = {}, answered = {}] = session("paused", 60_000);
    const again = answer("m again", ["on"], { cache_creation_input_tokens: 61_000, cache_read_input_tokens: 0 });
    const environment = writeHome([title, asked, answered, prompt("go on"), { ...again, ...hourLater }]);
    const nowMs = () => Date.UTC(2026, 0, 1, 2, 1);
    const { output } = await runPlimsoll([], { environment, nowMs });
    expect(output).toMatch(/Your last 30 days: \$\d\.\d\d in 1 session\n/);
    expect(output).toMatch(/\$0\.\d\d re-caching after 1 long break\n/);
    expect(output).toContain("5 hours: ");
    const commands = output.split("\n").filter((line) => /^ +plimsoll /.test(line));
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) {
      const words = command.trim().split(" ").slice(1);
      expect(await runPlimsoll(words, { environment, nowMs }), command).toMatchObject({ exitCode: 0, remarks: "" });
    }
    for (const line of output.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("gives the documented fields as JSON, with null for what is not known", async () => {
    const view = await look(writeHome(session("one", 20_000)));
    expect(Object.keys(view)).toEqual([
      "isSample",
      "transcript",
      "host",
      "client",
      "isOnlyRead",
      "session",
      "title",
      "directory",
      "advice",
      "health",
      "attribution",
      "damagedLines",
      "costUsd",
      "isAtLeast",
      "unpricedRequests",
      "unfinalOutputRequests",
      "cacheMisses",
      "missedUsd",
      "unpricedMisses",
      "foldable",
      "collapse",
      "look",
      "canSave",
      "isInstalled",
      "saved",
      "savedByClient",
      "savedByInstalling",
      "proposedLife",
      "limits",
      "budgets",
      "periods",
      "replay",
    ]);
    expect(view).toMatchObject({ isSample: false, title: "one", health: { usedTokens: 20_000, requestsToLine: null } });
  });

  it("passes over sessions that have nothing to show, and over subagents", async () => {
    const environment = writeHome([prompt("only asked")], [], session("real", 20_000));
    const side = path.join(environment.HOME, ".claude/projects/-work-project/s/subagents");
    mkdirSync(side, { recursive: true });
    writeFileSync(path.join(side, "agent-1.jsonl"), toFile(transcript(...session("agent", 90_000))));
    expect(await look(environment)).toMatchObject({ title: "real" });
  });

  it("tells of a subagent's file where nothing else is left, and not of the sample", async () => {
    const environment = writeHome();
    const lines = transcript(...session("left over", 20_000).map((draft) => ({ ...draft, isSidechain: true })));
    const file = path.join(environment.HOME, ".claude/projects/-work-project/session-1.agent-a1b2c3.jsonl");
    writeFileSync(file, toFile(lines));
    const left = await look(environment);
    expect(left).toMatchObject({ isSample: false, transcript: file, look: { sessions: 1, requests: 1 } });
    writeFileSync(path.join(path.dirname(file), "session-1.jsonl"), toFile(transcript(...session("main", 30_000))));
    const clients = [{ client: "Claude Code", sessions: 1, requests: 2 }];
    expect(await look(environment)).toMatchObject({ title: "main", look: { sessions: 1, clients } });
  });

  it("shows the sample that comes with it where there is no session, and says so", async () => {
    const environment = { HOME: path.join(temporary.folder, "nobody") };
    const view = await look(environment);
    expect(view).toMatchObject({ isSample: true, health: { source: "usage", confidence: "exact" } });
    const { output } = await runPlimsoll(["now"], { environment });
    expect(output.replaceAll("\n", " ")).toContain(
      `There is no session of yours in ${environment.HOME}/.claude/projects yet`,
    );
  });

  it("adds up what the session cost, and what of it cache misses cost", async () => {
    const view = await look(
      writeHome([
        prompt("fix it"),
        answer("m1", ["one"], { input_tokens: 0, cache_creation_input_tokens: 100_000, output_tokens: 1000 }),
        answer("m1", ["two"], { input_tokens: 0, cache_creation_input_tokens: 100_000, output_tokens: 1000 }),
        prompt("again"),
        answer("m2", ["three"], { input_tokens: 0, cache_creation_input_tokens: 102_000, output_tokens: 0 }),
      ]),
    );
    expect(view.costUsd).toBeCloseTo(0.1 * 6.25 + 0.001 * 25 + 0.102 * 6.25, 9);
    expect(view.missedUsd).toBeCloseTo(0.1 * (6.25 - 0.5), 9);
    expect(view.cacheMisses).toBe(1);
  });

  it("gives one advice, the one that plimsoll alone gives", async () => {
    const environment = writeHome(session("one", 160_000));
    const { output } = await runPlimsoll(["now"], { environment });
    const { output: first } = await runPlimsoll([], { environment });
    expect(output.split("\n").slice(0, 2)).toEqual(first.split("\n").slice(0, 2));
    expect(output).toContain("RED ");
    expect(output.match(/compact now|\/compact/gi)).toHaveLength((first.match(/compact now|\/compact/gi) ?? []).length);
  });

  const used = (tokens: number) => ({ input_tokens: 0, cache_read_input_tokens: tokens });
  const busy = (calls: number) => [
    prompt("fix it"),
    ...Array.from({ length: calls }, (_, index) => [
      answer(`m${index}`, [toolUse(`t${index}`, "Bash")], used(20_000 + index * 1500)),
      toolResult(`t${index}`, `line ${index}\n`.repeat(500)),
    ]).flat(),
    answer("last", ["done"], used(20_000 + calls * 1500)),
  ];

  it("says what the policy would collapse now, as preview-compact and summary --full do", async () => {
    const environment = writeHome(busy(30));
    const { collapse, transcript: file } = await look(environment);
    const { output } = await runPlimsoll(["preview-compact", "--transcript", file, "--json"], { environment });
    const preview = JSON.parse(output);
    expect(collapse).toEqual({
      policy: "balanced",
      isEarly: true,
      isDue: true,
      messages: preview.dropped.messages,
      savedTokens: preview.contextTokens - preview.afterTokens,
      netUsd: preview.verdict.price.expectedNetUsd,
    });
    const full = await runPlimsoll(["summary", "--full", "--transcript", file, "--json"], { environment });
    const { record } = JSON.parse(full.output);
    // The full summary weighs by the upper bound of all tokenizers, the preview weighs the ledger as this model counts.
    expect(preview.record.tokens + preview.ledger.tokens).toBeLessThanOrEqual(record.tokens);
    expect(preview.record.tokens + preview.ledger.tokens).toBeGreaterThan(record.tokens * 0.6);
    expect(record.text.startsWith(`${preview.record.text}\n\n`)).toBe(true);
  });

  it("promises nothing where folding could but the policy would not yet act", async () => {
    const environment = writeHome(busy(8));
    expect(await look(environment)).toMatchObject({ foldable: { results: 4 }, collapse: { isDue: false } });
  });

  it("collapses nothing by itself where the person has left the moment to the client", async () => {
    const environment = writeHome(busy(60));
    writeFileSync(path.join(environment.HOME, ".claude", "plimsoll.json"), '{"early":false}');
    expect((await look(environment)).collapse).toMatchObject({ isEarly: false, isDue: false });
  });

  it.each<readonly [string, number, number, string | undefined]>([
    ["that runs", SOON, 0, "full"],
    ["of another year", SOON + 31e9, 0, undefined],
    ["too long to read for that", SOON, 41, undefined],
  ])("speaks of another session %s", async (_name, modifiedMs, blankMegabytes, title) => {
    const again = { ...answer("m again", ["on"], used(21_000)), timestamp: "2026-01-01T00:00:30.000Z" };
    const environment = writeHome([...session("new", 20_000), again], session("full", 160_000));
    const folder = path.join(environment.HOME, ".claude/projects/-work-project");
    const [newest, other] = [path.join(folder, "session-0.jsonl"), path.join(folder, "session-1.jsonl")];
    appendFileSync(other, `${" ".repeat(1e6)}\n`.repeat(blankMegabytes));
    for (const file of [newest, other]) utimesSync(file, SOON / 1000, modifiedMs / 1000);
    const { output } = await runPlimsoll(["now"], { environment, nowMs: () => SOON });
    expect(/^another running session: (.*)$/m.exec(output)?.[1]).toBe(title);
    expect(output).toContain("\nnew\n");
  });
});
