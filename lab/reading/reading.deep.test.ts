/** If red: the reading test cannot be run again, or shows a reader whose memory it reads. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { recordCompactedSession } from "../../test/support/compacted-session.ts";
import { createFakeTerminal } from "../../test/support/fake-terminal.ts";
import { writeScriptedModel } from "../../test/support/scripted-model.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, toolResult, toolUse, transcript } from "../../test/support/transcript-lines.ts";
import { runLab } from "../lab.ts";

const temporary = createTemporaryFolder();
const COMPACTED = 18;
const CUT = COMPACTED + 8;
const SUMMARY = "The person wants all parts read";

function write(name: string, text: string): string {
  const file = path.join(temporary.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const session = write("all/ship/0a1b2c3d-4e5f.jsonl", recordCompactedSession(21));

/** No compaction, and thirty-six requests that grow by eight thousand tokens each. */
const uncompacted = write(
  "all/boat/99999999-aaaa.jsonl",
  toFile(
    transcript(
      prompt("read it all"),
      ...Array.from({ length: 36 }, (_, index) => [
        answer(`b${index}`, [toolUse(`u${index}`, "Read", { file_path: `lib/part${index}.ts` })], {
          cache_read_input_tokens: index * 8000,
          cache_creation_input_tokens: 9000,
        }),
        toolResult(`u${index}`, `export const value${index}0 = ${index};\n`.repeat(400)),
      ]).flat(),
    ),
  ),
);

async function run(...words: readonly string[]) {
  const terminal = createFakeTerminal({ directory: temporary.folder, environment: process.env });
  const exitCode = await runLab(["reading", ...words], terminal);
  return { exitCode, output: terminal.output(), remarks: terminal.remarks() };
}

async function succeed(...words: readonly string[]): Promise<string> {
  const { exitCode, output, remarks } = await run(...words);
  expect({ exitCode, remarks: remarks.replace(/^\d+ requests?:.*\n/, "") }).toEqual({ exitCode: 0, remarks: "" });
  return output;
}

/** A folder with the memories of the compacted session, made anew for each story. */
async function make(...words: readonly string[]): Promise<string> {
  const folder = temporary.name("-made");
  await succeed(session, "--make", folder, ...words);
  return path.join(folder, "ship-0a1b2c3d");
}

const read = (folder: string, file: string): string => readFileSync(path.join(folder, file), "utf8");
const readJson = (folder: string, file: string) => JSON.parse(read(folder, file));
const value = (index: number): string => `export const value${index}0 = ${index};`;
/** Results that are plain text: every third one loads a tool. */
const isPlain = (index: number): boolean => index % 3 !== 0;

describe("npm run lab -- reading --make", () => {
  it("cuts eight requests after the compaction: all that was before, and fifteen requests after", async () => {
    const made = await make();
    const [full, next] = [read(made, "full.txt"), read(made, "next.txt")];
    expect(readJson(made, "session.json")).toMatchObject({ cut: CUT, compactedAt: COMPACTED });
    for (let index = 0; index < CUT; index++) if (isPlain(index)) expect(full).toContain(value(index));
    expect(full).not.toContain(SUMMARY);
    // The last request's result came with the cut; what the model did with it did not.
    expect(full).not.toContain(value(CUT));
    expect(next).toContain(value(CUT));
    expect(next).not.toContain(value(CUT - 1));
  });

  it("makes the client's memory of its summary and what came since, and of nothing that was before", async () => {
    const memory = read(await make(), "memories/client.txt");
    expect(memory).toContain(SUMMARY);
    for (let index = COMPACTED; index < CUT; index++) if (isPlain(index)) expect(memory).toContain(value(index));
    for (let index = 0; index < COMPACTED; index++) expect(memory).not.toContain(value(index));
    expect(memory).not.toContain(value(CUT));
  });

  it("makes ours of a ledger and the last exchanges, with and without the record", async () => {
    const made = await make();
    const [ours, bare] = [read(made, "memories/plimsoll.txt"), read(made, "memories/no-record.txt")];
    expect(ours).toContain("[LEDGER: ");
    expect(ours).toContain(value(CUT - 1));
    expect(ours).not.toContain(SUMMARY);
    expect(ours.length).toBeGreaterThan(bare.length);
    const ledger = (text: string): string => text.slice(text.indexOf("[LEDGER: "));
    expect(ledger(bare)).toBe(ledger(ours));
    expect(read(made, "memories/cautious.txt").length).toBeGreaterThan(ours.length);
  });

  it("keeps everything that a memory names: each handle gives its originals back, byte for byte", async () => {
    const made = await make();
    const handles = [...new Set(read(made, "memories/plimsoll.txt").match(/plimsoll:[0-9a-f]{12}/g))];
    expect(handles.length).toBeGreaterThan(0);
    let recalled = "";
    const ask = async (handle: string, line: number) => {
      const answered = await succeed("--recall", made, `${handle}#${line}`, "--as", "anna/K", "--json");
      return JSON.parse(answered);
    };
    let asked = 0;
    for (const handle of handles) {
      for (let line = 1; ; line++, asked++) {
        const { isFound, text } = await ask(handle, line);
        recalled += text;
        if (!isFound) break;
      }
      asked++;
    }
    const shown = read(made, "memories/plimsoll.txt");
    for (let index = 0; index < CUT; index++) {
      const original = `${value(index)}\n`.repeat(400);
      if (isPlain(index)) expect(recalled.includes(original) || shown.includes(original)).toBe(true);
    }
    expect(read(made, "recalls.jsonl").trim().split("\n")).toHaveLength(asked);
    const missing = await succeed("--recall", made, "plimsoll:000000000000", "--json");
    expect(JSON.parse(missing)).toMatchObject({ isFound: false, text: expect.stringContaining("Nothing is kept") });
  });

  it("answers a call by its id, a part of a text, and says what it does not understand", async () => {
    const made = await make();
    expect(await succeed("--recall", made, "call:t1", "--lines", "1-2")).toContain(`${value(1)}\n${value(1)}\n[end]`);
    expect(await succeed("--recall", made)).toContain("Give a handle");
    expect((await run("--recall", path.dirname(made), "call:t1")).exitCode).toBe(0);
    expect(await run("--recall", path.join(made, "nowhere"), "call:t1")).toMatchObject({ exitCode: 2 });
  });

  it("hides whose memory it is behind letters that stay when another one joins", async () => {
    const made = await make("--policies", "client,plimsoll");
    const before = readJson(made, "key.json");
    await succeed(session, "--make", path.dirname(made), "--policies", "plimsoll", "--name", "before");
    const key = readJson(made, "key.json");
    expect(key).toMatchObject(before);
    expect(Object.values(key).sort()).toEqual(["before", "client", "plimsoll"]);
    for (const [letter, name] of Object.entries(key))
      expect(read(made, `blind/${letter}.txt`)).toBe(read(made, `memories/${name}.txt`));
    expect(readdirSync(path.join(made, "blind")).sort()).toEqual(
      Object.keys(key)
        .map((letter) => `${letter}.txt`)
        .sort(),
    );
    expect(read(made, "memories/before.txt")).toBe(read(made, "memories/plimsoll.txt"));
  });

  it("never puts another text in the place of one that somebody has answered", async () => {
    const made = await make("--policies", "plimsoll");
    const [letter = ""] = Object.keys(readJson(made, "key.json"));
    mkdirSync(path.join(made, "answers/anna"), { recursive: true });
    writeFileSync(path.join(made, `answers/anna/${letter}.json`), "{}");
    await succeed(session, "--make", path.dirname(made), "--policies", "plimsoll");
    const again = await run(session, "--make", path.dirname(made), "--policies", "cautious", "--name", "plimsoll");
    expect(again).toMatchObject({ exitCode: 2, remarks: expect.stringContaining("another --name") });
    expect(read(made, "memories/plimsoll.txt")).toBe(read(made, `blind/${letter}.txt`));
  });

  it("cuts at the client's line where no compaction was recorded, and leaves its memory empty", async () => {
    const folder = temporary.name("-made");
    const made = JSON.parse(await succeed(uncompacted, "--make", folder, "--policies", "client,mask_10", "--json"));
    expect(made.sessions).toMatchObject([
      {
        why: "",
        memories: [
          { name: "client", why: expect.stringContaining("no compaction") },
          { name: "mask_10", why: "" },
        ],
      },
    ]);
    expect(readdirSync(path.join(folder, "boat-99999999/memories"))).toEqual(["mask_10.txt"]);
  });

  it("names what it leaves out, and what it cannot do", async () => {
    const short = write("all/raft/short.jsonl", recordCompactedSession(4));
    expect(await succeed(short, "--make", temporary.name("-made"))).toContain(
      "raft-short: left out, no compaction with 20 requests behind it",
    );
    const wrong = await run(session, "--make", temporary.name("-made"), "--policies", "plimsol");
    expect(wrong).toMatchObject({ exitCode: 2, remarks: expect.stringContaining("did you mean plimsoll?") });
    expect(await run(session)).toMatchObject({ exitCode: 2, remarks: expect.stringContaining("say what to do") });
    expect(await run(session, "--make", "x", "--table")).toMatchObject({
      exitCode: 2,
      remarks: expect.stringContaining("one at a time"),
    });
  });
});

describe("a whole reading", () => {
  it("is written, answered, graded and told, each thing once", async () => {
    const made = await make("--policies", "client,plimsoll");
    const model = writeScriptedModel(path.dirname(made));
    await succeed(made, "--writer", model.command, "--yes");
    const quiz = readJson(made, "quiz.json");
    expect(quiz.questions).toHaveLength(12);
    for (const reader of ["anna", "ben"])
      await succeed(made, "--reader", model.command, "--as", reader, "--yes", "--jobs", "2");
    await succeed(made, "--grader", model.command, "--as", "carl", "--yes");
    const { memories } = JSON.parse(await succeed(made, "--table", "--json"));
    const [ours, client] = ["plimsoll", "client"].map((name) =>
      memories.find((row: { name: string }) => row.name === name),
    );
    // With recall everything comes back; the client's summary holds no value at all.
    expect(ours).toMatchObject({
      sessions: 1,
      readers: 2,
      withRecall: { value: 1, wrong: 0 },
      readerSpread: 0,
      ungraded: 0,
    });
    expect(ours.inView.value).toBeLessThan(1);
    expect(ours.recallsPerQuestion).toBeGreaterThan(0);
    expect(client).toMatchObject({ withRecall: { value: null, answers: 0 }, recallsPerQuestion: null });
    const table = await succeed(made, "--table");
    expect(table).toMatch(/^memory +in view +90 % +recall +recalls +wrong +action +tokens/);
    expect(table).toMatch(/^plimsoll .*100\.0 %/m);
    const asked = model.prompts().length;
    for (const role of ["--writer", "--reader", "--grader"])
      expect(await succeed(made, role, model.command, "--as", role === "--grader" ? "carl" : "anna")).toContain(
        "Everything",
      );
    expect(model.prompts()).toHaveLength(asked);
  });

  it("lets nobody know what they must not: no writer sees a memory, no reader a key, no grader a name", async () => {
    const made = await make("--policies", "client,plimsoll");
    const model = writeScriptedModel(path.dirname(made));
    for (const role of ["--writer", "--reader", "--grader"]) await succeed(made, role, model.command, "--yes");
    const [writer = "", ...others] = model.prompts();
    const graded = others.filter((text) => text.startsWith("You grade"));
    const readers = others.filter((text) => !text.startsWith("You grade"));
    expect([graded.length, readers.length]).toEqual([1, 4]);
    expect(writer).not.toContain("[LEDGER: ");
    expect(writer).not.toContain(SUMMARY);
    for (const text of readers) expect(text).not.toMatch(/"key"|read on(?!\b)|key\.json/);
    for (const text of graded) expect(text).not.toMatch(/plimsoll|client|cautious|\[LEDGER|<memory>/);
  });

  it("asks once more where a command fails or says no JSON, then names it, and goes on with the rest", async () => {
    const made = await make("--policies", "client,plimsoll");
    const model = writeScriptedModel(path.dirname(made));
    model.failNext(1);
    await succeed(made, "--writer", model.command, "--yes");
    model.babbleNext(1);
    await succeed(made, "--reader", model.command, "--yes", "--as", "anna");
    model.failNext(2);
    const failed = await run(made, "--reader", model.command, "--yes", "--as", "ben");
    expect(failed.exitCode).toBe(1);
    expect(failed.output).toMatch(
      /^1 of 2 done\.\nFailed: ship-0a1b2c3d [A-Z]: the command ended with 7: the model is out of reach$/m,
    );
    expect(await succeed(made, "--reader", model.command, "--yes", "--as", "ben")).toBe("1 of 1 done.\n");
    model.babbleNext(2);
    const babbled = await run(made, "--grader", model.command, "--yes");
    expect(babbled).toMatchObject({ exitCode: 1, output: expect.stringContaining("0 grades for the") });
  });

  it("tells the cost first, and begins only when told to", async () => {
    const made = await make("--policies", "client");
    const model = writeScriptedModel(path.dirname(made));
    const refused = await run(made, "--writer", model.command);
    expect(refused.exitCode).toBe(2);
    expect(refused.remarks).toMatch(
      /^1 request: about [\d.]+k tokens to read and 2\.5k to write; the largest prompt has/,
    );
    expect(refused.remarks).toContain("--yes begins without asking");
    expect(model.prompts()).toEqual([]);
  });

  it("goes by hand, too: prompts in files, answers in files", async () => {
    const made = await make("--policies", "client");
    const answerNext = (reply: string): void => {
      const [file = ""] = readdirSync(path.join(made, "ask")).filter((name) => !name.includes("answer"));
      writeFileSync(path.join(made, "ask", file.replace(/\.txt$/, ".answer.txt")), reply);
    };
    expect(await succeed(made, "--writer", "-")).toMatch(
      /^0 of 1 done\.\nWaiting for .*ask\/quiz-\w{8}\.answer\.txt$/m,
    );
    const question = { id: "q1", kind: "next", question: "Which part is next?", key: ["part 3"] };
    answerNext(JSON.stringify({ questions: [question], nextAction: "read part 3" }));
    expect(await succeed(made, "--writer", "-")).toBe("1 of 1 done.\n");
    rmSync(path.join(made, "ask"), { recursive: true });
    await succeed(made, "--reader", "-", "--as", "anna");
    answerNext('{"answers":{"q1":"part 3"},"nextAction":"read part 3"}');
    expect(await succeed(made, "--reader", "-", "--as", "anna")).toBe("1 of 1 done.\n");
    const [letter] = Object.keys(readJson(made, "key.json"));
    expect(readJson(made, `answers/anna/${letter}.json`)).toEqual({
      inView: { q1: "part 3" },
      nextAction: "read part 3",
    });
  });

  it("takes quizzes that were written before, and keeps one that lies there", async () => {
    const quizzes = temporary.name("-quizzes");
    const quiz = { questions: [{ id: "q1", kind: "next", question: "?", key: ["!"] }], nextAction: "!" };
    mkdirSync(quizzes, { recursive: true });
    writeFileSync(path.join(quizzes, "ship-0a1b2c3d.json"), JSON.stringify(quiz));
    const made = await make("--policies", "client", "--quizzes", quizzes);
    expect(readJson(made, "quiz.json")).toEqual(quiz);
    writeFileSync(path.join(quizzes, "ship-0a1b2c3d.json"), "{}");
    await succeed(session, "--make", path.dirname(made), "--policies", "client", "--quizzes", quizzes);
    expect(readJson(made, "quiz.json")).toEqual(quiz);
  });

  it("says what is missing or broken, by its file", async () => {
    const made = await make("--policies", "client");
    const none = await run(made, "--reader", "true", "--yes");
    expect(none).toMatchObject({ exitCode: 2, remarks: expect.stringContaining("has no quiz.json") });
    expect(await run(made, "--table")).toMatchObject({
      exitCode: 3,
      remarks: expect.stringContaining("nobody has answered"),
    });
    writeFileSync(path.join(made, "quiz.json"), '{"questions": [');
    expect((await run(made, "--grader", "true")).remarks).toContain("quiz.json is not a JSON object");
    writeFileSync(path.join(made, "quiz.json"), '{"questions": []}');
    expect((await run(made, "--grader", "true")).remarks).toContain("it holds no questions");
    expect((await run(temporary.folder, "--table")).exitCode).toBe(3);
    expect((await run(made, "--reader", "", "--yes")).remarks).toContain("--reader needs a command");
  });
});

it("prints what is asked, so that any model can be", async () => {
  const text = await succeed("--prompts");
  for (const heading of ["# writer", "# reader", "# recall", "# grader"]) expect(text).toContain(heading);
});
