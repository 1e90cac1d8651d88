/** If red: a person is shown wrong savings of a policy on their own sessions, or an interrupted replay starts from nothing. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTickingClock, runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { HOME_WRITERS } from "../../../../test/support/host-homes.ts";
import { recordReadingSession } from "../../../../test/support/reading-session.ts";
import { createRunner } from "../../../../test/support/run-program.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { findLastReplay } from "../../../recorded/last-replay.ts";

const temporary = createTemporaryFolder();
const run = createRunner();
const FIXTURES = path.resolve(import.meta.dirname, "../../../../test/fixtures/claude-code");

function write(name: string, text: string): string {
  const file = path.join(temporary.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  // Long ago: what was written just now is not remembered.
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  return file;
}

const all = path.join(temporary.folder, "all");
write("all/one/a.jsonl", recordReadingSession(5));
write("all/one/b.jsonl", recordReadingSession(4));
write("all/two/broken.jsonl", `${recordReadingSession(4)}{"type":\n`);
write("all/two/cut.jsonl", recordReadingSession(4).slice(0, -40));
write("all/two/one-request.jsonl", recordReadingSession(1));
write("all/two/short.jsonl", recordReadingSession(2));
write("all/two/unknown-model.jsonl", recordReadingSession(4, { model: "gpt-6" }));
write("all/two/without-usage.jsonl", recordReadingSession(4).replaceAll('"usage"', '"unused"'));

async function replay(words: readonly string[], home = temporary.name("")) {
  mkdirSync(home, { recursive: true });
  const { exitCode, output, remarks } = await run(["replay", ...words], { environment: { HOME: home } });
  expect({ exitCode, remarks }).toEqual({ exitCode: 0, remarks: "" });
  return output;
}

/** What these made-up requests cost has little to do with what they say: they are replayed all the same. */
const THREE = ["--min-steps", "3", "--unchecked"];

describe("plimsoll replay", () => {
  it("tells every policy's figures, in total and by session, the cheapest first", async () => {
    const report = JSON.parse(await replay([all, ...THREE, "--json"]));
    expect(report).toMatchObject({ marks: "client", minSteps: 3, requests: 9, check: null });
    expect(report.sessions.map(({ repository }: { repository: string }) => repository)).toEqual(["one", "one"]);
    const names = report.policies.map(({ name }: { name: string }) => name);
    expect([...names].sort()).toEqual(
      [
        ...["native", "native@200k", "native@100k", "clear_tool_uses"],
        ...["plimsoll", "plimsoll:thrifty", "plimsoll:cautious", "clairvoyant"],
        ...["plimsoll@5m", "plimsoll@1h", "plimsoll@1h+5m"],
      ].sort(),
    );
    const nets = report.policies.map(({ netUsd }: { netUsd: number }) => netUsd);
    expect(nets).toEqual([...nets].sort((left, right) => left - right));
    const native = report.policies.find(({ name }: { name: string }) => name === "native");
    const fields =
      "netUsd sendUsd recoveryUsd rereadUsd tokensSent peakTokens prefixBusts compactions blockedMs hotRetained";
    const needs = "coldRetained coldRecoverable coldLost fatal editLineRecall planMsP95";
    for (const field of `${fields} ${needs}`.split(" ")) expect(native, field).toHaveProperty(field);
    expect(native.relative.netUsd).toBe(1);
    expect(report.sessions.map(({ name, steps }: { name: string; steps: number }) => [name, steps])).toEqual([
      ["one/a.jsonl", 5],
      ["one/b.jsonl", 4],
    ]);
    const bySession = report.sessions.flatMap(({ policies }: { policies: { name: string; netUsd: number }[] }) =>
      policies.filter(({ name }) => name === "native").map(({ netUsd }) => netUsd),
    );
    expect(bySession[0] + bySession[1]).toBeCloseTo(native.netUsd, 12);
  });

  it("leaves out by name what cannot be replayed, with the reason", async () => {
    const { leftOut } = JSON.parse(await replay([all, ...THREE, "--policies", "native", "--json"]));
    expect(leftOut).toEqual([
      { name: "two/broken.jsonl", why: "1 broken line" },
      { name: "two/cut.jsonl", why: "1 broken line" },
      { name: "two/one-request.jsonl", why: "one request only" },
      { name: "two/unknown-model.jsonl", why: "no price for the model gpt-6" },
      { name: "two/without-usage.jsonl", why: "4 of 4 requests without usage" },
    ]);
  });

  it("counts a session once that was resumed in another file", async () => {
    const folder = path.join(temporary.folder, "resumed");
    for (const [name, requests] of [
      ["a", 3],
      ["b", 5],
      ["c", 5],
    ] as const)
      write(`resumed/${name}.jsonl`, recordReadingSession(requests, { id: "same" }));
    const { sessions, leftOut } = JSON.parse(await replay([folder, ...THREE, "--policies", "native", "--json"]));
    expect(sessions.map(({ name }: { name: string }) => name)).toEqual(["b.jsonl"]);
    const why = "duplicate: starts with the same request as b.jsonl, and that session is at least as long";
    expect(leftOut).toEqual([
      { name: "a.jsonl", why },
      { name: "c.jsonl", why },
    ]);
  });

  it("says the same every time but for the planning time, in one thread and in several", async () => {
    const timeless = (text: string): string => text.replace(/"planMsP95": [\d.e-]+/g, "");
    const words = [FIXTURES, "--min-steps", "2", "--unchecked", "--json"];
    const first = timeless(await replay(words));
    expect(timeless(await replay(words))).toBe(first);
    const { output } = await runPlimsoll(["replay", ...words], { environment: { HOME: temporary.name("") } });
    expect(timeless(output)).toBe(first);
    expect(JSON.parse(first.replace(/,\s*(?=,|\})/g, "")).sessions.length).toBeGreaterThan(10);
  });

  it("answers about the sample, and keeps nothing, in a home without sessions; a program is told that there are none", async () => {
    const environment = { HOME: temporary.name("-empty") };
    mkdirSync(environment.HOME);
    for (const [words, about] of [
      ["replay", "On these 2 short sessions"],
      ["replay --all --policies plimsoll", "2 short sessions separately"],
      ["stats", "73 tool calls"],
    ] as const) {
      const { output, exitCode } = await runPlimsoll(words.split(" "), { environment });
      expect(exitCode).toBe(0);
      const [command] = words.split(" ");
      const said = output.replaceAll("\n", " ");
      expect(said).toMatch(/^There is no session of yours in .* to see your own sessions\. /);
      expect(said).toContain(`run plimsoll ${command} again`);
      expect(said).toContain(about);
      expect(findLastReplay(environment)).toBeUndefined();
      expect(await runPlimsoll([...words.split(" "), "--json"], { environment })).toMatchObject({
        exitCode: 3,
        output: "",
        remarks: expect.stringContaining("The sample that comes with Plimsoll is in "),
      });
    }
  });

  it("is not proposed where Plimsoll cannot run, and says so itself", async () => {
    const environment = { HOME: temporary.name("-gemini") };
    HOME_WRITERS.gemini(environment.HOME);
    const nowMs = () => Date.UTC(2026, 5, 2);
    const { output: first } = await runPlimsoll([], { environment, nowMs });
    expect(first.replace(/\s+/g, " ")).toContain("what Gemini CLI records, but does not run inside it, so there is no");
    expect(first).not.toContain("plimsoll replay");
    const { output } = await runPlimsoll(["replay"], { environment, nowMs });
    expect(output).toMatch(/^Your one session file cannot be replayed, so there is no saving to show\./);
  });

  it("tells short sessions apart, and says of them what can be said where there are no others", async () => {
    const report = JSON.parse(await replay([all, ...THREE, "--policies", "plimsoll", "--json"]));
    const count = (name: string): number =>
      report.groups.find((group: { name: string }) => group.name === name).sessions;
    expect([count("all"), count("window200k"), count("window1m"), count("short")]).toEqual([2, 2, 0, 1]);
    expect(report.shortSessions.map(({ name }: { name: string }) => name)).toEqual(["two/short.jsonl"]);
    const shown = await replay([all, "--policies", "plimsoll", "--unchecked"]);
    expect(shown).toMatch(/^0 sessions, 0 requests replayed; 3 short sessions separately; 5 sessions left out\n/);
    expect(shown).toContain("On these 3 short sessions (2 to 59 requests), Plimsoll costs 1.00 of");
  });

  it("says in words what the default would have cost on the person's own sessions, and what could be wrong", async () => {
    const home = temporary.name("");
    for (const [index, project] of ["-work-a", "-work-a", "-work-b"].entries()) {
      const file = path.join(home, ".claude/projects", project, `s${index}.jsonl`);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, recordReadingSession(4 + index));
    }
    const shown = (await replay([...THREE, "--policies", "plimsoll,native@200k"], home)).replace(/\n/g, " ");
    expect(shown).toMatch(
      /Your 3 sessions of 2 projects cost \$[\d.]+\. With Plimsoll they would have cost about \$[\d.]+ (?:less|more)\. In the simulation Plimsoll costs \$[\d.]+, which is \d\.\d\d of the cost with the agent's own compaction \(\$[\d.]+\)\..* With Plimsoll, future sessions should cost \d\.\d\d to \d\.\d\d times what they would cost with the agent's own compaction \(90 % interval/,
    );
    expect(shown).toMatch(/ and the worst is \d\.\d\d \(-work-[ab]\/s\d\.jsonl\)/);
    expect(shown).toContain("with so few projects, the result may not apply to other work");
    expect(shown).toMatch(/set to a smaller window, Plimsoll costs 1\.00 at 200k \(1\.00 if/);
    const alone = (await replay([path.join(all, "one"), ...THREE, "--policies", "plimsoll"])).replace(/\n/g, " ");
    expect(alone).toMatch(/These 2 sessions of 1 project cost \$[\d.]+\. .* which is 1\.00/);
    // One project says nothing of others.
    expect(alone).not.toContain("Future sessions should cost");
  });

  it("replays the sample session", async () => {
    const sample = path.resolve(import.meta.dirname, "../../../../samples/demo-session.jsonl");
    expect(await replay([sample, "--min-steps", "2", "--unchecked"])).toMatch(
      /^1 session, \d+ requests replayed; 0 sessions left out\n/,
    );
  });

  it("fits its table into the terminal, and shows more where there is room", async () => {
    const show = async (columns: number) =>
      (await runPlimsoll(["replay", all, ...THREE], { columns })).output.split("\n");
    const [narrow, wide] = [await show(80), await show(240)];
    for (const line of narrow.slice(0, narrow.indexOf("Left out of the totals")))
      expect(line.length).toBeLessThanOrEqual(80);
    const heads = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.startsWith("policy "));
    expect(heads(narrow)).toEqual([expect.stringMatching(/^policy +cost +\/native +recent kept +older kept +lost/)]);
    expect(heads(wide)).toEqual([expect.stringMatching(/ failures +90 %$/)]);
  });

  it("leaves out, by name and with the reason, whose simulation is far from what was recorded", async () => {
    const { leftOut, sessions, clients } = JSON.parse(await replay([all, "--min-steps", "3", "--json"]));
    expect(sessions).toEqual([]);
    expect(leftOut).toContainEqual({
      name: "one/a.jsonl",
      why: expect.stringMatching(/^the simulated agent costs 0\.\d\d of what was recorded \(/),
    });
    // What was billed is in the bill all the same.
    expect(clients).toMatchObject([{ client: "Claude Code", sessions: 0, recordedUsd: 0 }]);
    expect(clients[0].billedUsd).toBeGreaterThan(0);
  });

  it("shows its progress to a person who waits", async () => {
    const terminal = { isInteractive: true, nowMs: createTickingClock(600) };
    const { remarks } = await runPlimsoll(["replay", all, ...THREE, "--policies", "native"], terminal);
    expect(remarks).toMatch(/Replaying sessions █+/);
  });
});

describe("an interrupted replay", () => {
  const NATIVE = ["--policies", "native", "--json"];
  const price = (output: string): Readonly<Record<string, number>> => {
    const { sessions } = JSON.parse(output);
    return Object.fromEntries(
      sessions.map(({ name, policies: [native] }: { name: string; policies: { sendUsd: number }[] }) => [
        name,
        native?.sendUsd,
      ]),
    );
  };
  /** Makes what is remembered of a session tell a price that nobody could compute. */
  const tamper = (folder: string, name: string): void => {
    for (const entry of readdirSync(folder)) {
      const file = path.join(folder, entry);
      const stored = JSON.parse(readFileSync(file, "utf8"));
      if (!stored.path.endsWith(name)) continue;
      for (const walk of Object.values<{ sendUsd: number }>(stored.walks)) walk.sendUsd = 4711;
      writeFileSync(file, JSON.stringify(stored));
    }
  };

  it("goes on from what it had found, in private files, unless it is told to start afresh", async () => {
    const home = temporary.name("");
    const folder = path.join(home, ".local/share/plimsoll/data/plimsoll/replay");
    const first = price(await replay([path.join(all, "one"), ...THREE, ...NATIVE], home));
    expect(readdirSync(folder)).toHaveLength(2);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    tamper(folder, "a.jsonl");
    expect(price(await replay([all, ...THREE, ...NATIVE], home))).toEqual({
      "one/a.jsonl": 4711,
      "one/b.jsonl": first["b.jsonl"],
    });
    expect(price(await replay([all, ...THREE, ...NATIVE, "--fresh"], home))["one/a.jsonl"]).toBe(first["a.jsonl"]);
    expect(price(await replay([all, ...THREE, ...NATIVE], home))["one/a.jsonl"]).toBe(first["a.jsonl"]);
  });

  it("walks only the policies it has not seen", async () => {
    const home = temporary.name("");
    const folder = path.join(home, ".local/share/plimsoll/data/plimsoll/replay");
    const one = path.join(all, "one");
    await replay([one, ...THREE, ...NATIVE], home);
    tamper(folder, "a.jsonl");
    const { sessions } = JSON.parse(await replay([one, ...THREE, "--policies", "clear_tool_uses", "--json"], home));
    const [native, other] = sessions[0].policies;
    expect([native.name, native.sendUsd, other.name]).toEqual(["native", 4711, "clear_tool_uses"]);
    expect(other.sendUsd).toBeLessThan(1);
  });

  it("reads a file again that has changed, and forgets what another program or nobody wrote", async () => {
    const home = temporary.name("");
    const folder = path.join(home, ".local/share/plimsoll/data/plimsoll/replay");
    const file = write(`changing-${path.basename(home)}.jsonl`, recordReadingSession(4));
    const [first] = Object.values(price(await replay([file, ...THREE, ...NATIVE], home)));
    tamper(folder, path.basename(file));
    utimesSync(file, 1_700_000_001, 1_700_000_001);
    expect(Object.values(price(await replay([file, ...THREE, ...NATIVE], home)))).toEqual([first]);
    const [name = ""] = readdirSync(folder);
    const stored = readFileSync(path.join(folder, name), "utf8");
    for (const spoilt of [
      stored.replace(/"program":"\w+"/, '"program":"older"').replace(/"sendUsd":[\d.]+/, '"sendUsd":4711'),
      "{",
      "[]",
    ]) {
      writeFileSync(path.join(folder, name), spoilt);
      expect(Object.values(price(await replay([file, ...THREE, ...NATIVE], home)))).toEqual([first]);
    }
  });

  it("works in a home that cannot be written", async () => {
    const home = temporary.name("");
    mkdirSync(home);
    writeFileSync(path.join(home, ".claude"), "a file where a folder should be");
    expect(price(await replay([all, ...THREE, ...NATIVE], home))).toHaveProperty("one/a.jsonl");
  });
});

describe("a wrong call", () => {
  it.each([
    [["--policies", "plimsol"], 'there is no policy "plimsol": did you mean plimsoll?'],
    [["--policies", ","], "--policies is empty: pass some of native,"],
    [["--min-steps", "many"], '--min-steps takes a whole number of at least 0, not "many"'],
  ])("is answered with the way out: %j", async (words, message) => {
    const { exitCode, remarks, output } = await runPlimsoll(["replay", all, ...words], { directory: temporary.folder });
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(remarks).toContain(message);
  });

  it("names a file that cannot be read", async () => {
    const file = write("closed/closed.jsonl", recordReadingSession(4));
    chmodSync(file, 0);
    const { output } = await runPlimsoll(["replay", path.dirname(file), "--unchecked", "--json"]);
    const { leftOut, shortSessions } = JSON.parse(output);
    // Whoever may read everything reads this, too.
    expect(leftOut[0]?.why ?? `${shortSessions.length} read`).toMatch(/^cannot be replayed: no permission|^1 read$/);
    chmodSync(file, 0o600);
  });
});
