/** If red: a command speaks of another session than the one that was named. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../core/json.ts";
import { COMMANDS } from "./catalogue.ts";
import { shortenAmong } from "./require-session.ts";

const temporary = createTemporaryFolder();

const IDS = [
  "aaaa1111-0000-4000-8000-000000000001",
  "aaaa2222-0000-4000-8000-000000000002",
  "bbbb3333-0000-4000-8000-000000000003",
] as const;

/** Three sessions of another project than the one that is asked in, the newest first; before them a file with nothing in it but a prompt. */
function writeHome(): string {
  const home = temporary.name();
  const folder = path.join(home, ".claude", "projects", "-work-elsewhere");
  mkdirSync(folder, { recursive: true });
  const write = (name: string, ageS: number, drafts: readonly JsonObject[]): void => {
    const file = path.join(folder, `${name}.jsonl`);
    writeFileSync(file, toFile(transcript(...drafts)));
    utimesSync(file, 9000 - ageS, 9000 - ageS);
  };
  write("cccc0000-0000-4000-8000-000000000000", 0, [prompt("only asked")]);
  write(IDS[0], 1, [prompt("Mend the rudder"), answer("m1", ["done"])]);
  write(IDS[1], 2, [{ type: "ai-title", aiTitle: "Paint the hull" }, prompt("please"), answer("m2", ["done"])]);
  write(IDS[2], 3, [prompt("<command-name>/x</command-name>"), prompt("Paint the mast"), answer("m3", ["done"])]);
  // As some clients call a subagent's file: by the session that started it.
  write(`${IDS[2]}.agent-a1b2c3`, 4, [{ ...prompt("Count the masts"), isSidechain: true }, answer("m4", ["done"])]);
  return home;
}

async function find(home: string, which: string) {
  const environment = { HOME: home };
  const run = await runPlimsoll(["health", "--session", which, "--json"], { environment });
  const printed: unknown = run.exitCode === 0 ? JSON.parse(run.output) : undefined;
  return { ...run, name: path.basename(Object(printed).transcript ?? "", ".jsonl") };
}

describe("a command without a session to be about", () => {
  it("names a way that leads somewhere", async () => {
    const [full, empty] = [writeHome(), temporary.name("-empty")];
    const ask = (home: string) => runPlimsoll(["health"], { environment: { HOME: home } });
    expect((await ask(full)).remarks).toContain("pass --session 1 for your newest session in any project");
    expect((await ask(empty)).remarks).toContain("no other project has a recorded session either");
  });
});

describe("--session", () => {
  it("takes the id that plimsoll stats shows, where the file has another name", async () => {
    const home = writeHome();
    const sessionId = "dddd4444-0000-4000-8000-000000000004";
    const renamed = path.join(home, ".claude/projects/-work-elsewhere/before.jsonl");
    const drafts = [prompt("Tar the seams"), answer("m5", ["done"])];
    writeFileSync(renamed, toFile(transcript(...drafts.map((draft) => ({ ...draft, sessionId })))));
    expect((await find(home, "dddd4")).name).toBe("before");
  });

  it.each([
    ["1", IDS[0]],
    ["3", IDS[2]],
    ["aaaa2", IDS[1]],
    ["BBBB", IDS[2]],
    [IDS[0], IDS[0]],
    ["rudder", IDS[0]],
    ["the HULL", IDS[1]],
    ["Paint the mast", IDS[2]],
  ])("finds %s wherever it is asked", async (which, id) => {
    expect(await find(writeHome(), which)).toMatchObject({ exitCode: 0, name: id });
  });

  it.each([
    ["aaaa", 2, '"aaaa" matches 2 sessions: aaaa1111, aaaa2222: pass more of one id or title'],
    ["paint", 2, '"paint" matches 2 sessions: aaaa2222 (Paint the hull), bbbb3333 (Paint the mast)'],
    ["4", 3, "there is no session 4: 3 are recorded"],
    ["keel", 3, 'no session has "keel" at the start of its id or in its title'],
    [" ", 2, "--session is empty"],
  ])("refuses %s with the way out", async (which, exitCode, words) => {
    const run = await find(writeHome(), which);
    expect(run).toMatchObject({ exitCode, output: "" });
    expect(run.remarks).toContain(words);
  });

  it("is refused next to --transcript", async () => {
    const run = await runPlimsoll(["state", "--session", "1", "--transcript", "x"], {});
    expect(run).toMatchObject({ exitCode: 2 });
    expect(run.remarks).toContain("pass either --session or --transcript");
  });

  it("is taken by every command that takes --transcript", () => {
    const named = (option: string) =>
      COMMANDS.filter(({ options }) => options.some(({ name }) => name === option)).map(({ name }) => name);
    expect(named("session")).toEqual(named("transcript"));
    expect(named("session").length).toBeGreaterThan(9);
  });
});

describe("a short id", () => {
  it("is as long as no other id begins with it, and no shorter than eight characters", () => {
    const ids = ["01990000-0000-7000-8000-000000000001", "01990000-0001-7000-8000-000000000002", IDS[0]];
    expect(ids.map((id) => shortenAmong(id, ids))).toEqual(["01990000-0000", "01990000-0001", "aaaa1111"]);
    expect(shortenAmong("my-session", ids)).toBe("my-session");
  });
});
