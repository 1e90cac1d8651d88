/** If red: decisions or originals are lost when two gateways write to one folder, or a write is cut off. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { editsOf } from "../../../../test/support/build.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { Edit } from "../../../core/edit.ts";
import { nameOriginal } from "../../../layers/history/originals.ts";
import { emptyCacheState } from "../../../models/economics/cache-state.ts";
import { createFileStore } from "./file-store.ts";
import { type JournalEntry, noLedger, watchStore } from "./gateway-store.ts";

const temporary = createTemporaryFolder();
const SESSION = "0123456789abcdef0123456789abcdef";

const ENTRY: JournalEntry = {
  ...{ atMs: 1, session: SESSION, user: "ada", model: "m", route: "messages", status: 200, bytesIn: 1, bytesOut: 1 },
  ...{ edits: 0, editsByLayer: {}, dropped: 0, replayed: 0, tokensBefore: 0, tokensAfter: 0, planMs: 1 },
  ...{ firstByteMs: 1, durationMs: 2, incidents: [], usage: undefined },
};

function decision(block: string): Edit {
  return editsOf([]).replaceBlock(block, "ä short");
}

describe("a folder as a store", () => {
  it("gives back what was decided, in its order, to any instance", async () => {
    const folder = temporary.name("");
    const [one, other] = [createFileStore({ folder }), createFileStore({ folder })];
    const first = await one.appendDecisions(SESSION, [decision("a"), decision("b")], noLedger);
    const second = await one.appendDecisions(SESSION, [decision("c")], first ?? noLedger);
    const read = await other.readLedger(SESSION);
    expect(read.decisions).toEqual([decision("a"), decision("b"), decision("c")]);
    expect(read.version).toBe(second?.version);
    expect(await other.readLedger(SESSION, read)).toBe(read);
  });

  it("hands on what an earlier version decided as decisions that replace nothing, and what it cannot read not at all", async () => {
    const folder = temporary.name("");
    const { replaces: _, ...older } = decision("a");
    const [bound] = [{ ...decision("b"), after: "0123" }];
    const store = createFileStore({ folder });
    const known = await store.appendDecisions(SESSION, [bound], noLedger);
    const file = path.join(folder, "sessions", SESSION.slice(0, 2), `${SESSION}.ledger.jsonl`);
    appendFileSync(file, `${JSON.stringify({ at: known?.version, decisions: [older] })}\n`);
    appendFileSync(file, `${JSON.stringify({ at: statSync(file).size, decisions: [{ ...bound, restsOn: 7 }] })}\n`);
    expect((await createFileStore({ folder }).readLedger(SESSION)).decisions).toEqual([
      bound,
      { ...older, replaces: "" },
    ]);
  });

  it("skips what a newer version has stored in a line, counts it once, and keeps what stands next to it", async () => {
    const folder = temporary.name("");
    const file = path.join(folder, "sessions", SESSION.slice(0, 2), `${SESSION}.ledger.jsonl`);
    await createFileStore({ folder }).appendDecisions(SESSION, [decision("a")], noLedger);
    const decisions = [
      decision("b"),
      { kind: "recalled", behind: 7 },
      { kind: "forget", by: "tomorrow" },
      decision("c"),
    ];
    appendFileSync(file, `${JSON.stringify({ at: statSync(file).size, decisions })}\n`);
    const counted: string[] = [];
    const store = watchStore(createFileStore({ folder }), (operation) => void counted.push(operation));
    const { ledger } = await store.holdLedger(SESSION);
    expect(ledger.decisions).toEqual([decision("a"), decision("b"), decision("c")]);
    const more = await store.appendDecisions(SESSION, [decision("d")], ledger);
    expect((await store.readLedger(SESSION, more)).decisions).toHaveLength(4);
    await createFileStore({ folder }).appendDecisions(SESSION, [decision("e")], await store.readLedger(SESSION));
    expect((await store.readLedger(SESSION, more)).decisions).toHaveLength(5);
    expect(counted).toEqual(["parse_decision", "parse_decision", "parse_decision", "parse_decision"]);
  });

  it("refuses a decision that another instance was ahead of, even if it came while the line was being written", async () => {
    const folder = temporary.name("");
    const [one, other] = [createFileStore({ folder }), createFileStore({ folder })];
    const known = await one.appendDecisions(SESSION, [decision("a")], noLedger);
    const late = {
      ...decision("late"),
      // Called after the store has looked for others, and before it writes.
      toJSON: () => {
        void other.appendDecisions(SESSION, [decision("b")], known ?? noLedger);
        return decision("late");
      },
    };
    expect(await one.appendDecisions(SESSION, [late], known ?? noLedger)).toBeUndefined();
    expect((await one.readLedger(SESSION)).decisions).toEqual([decision("a"), decision("b")]);
  });

  it("refuses a decision that another instance was ahead of, and takes it after a second look", async () => {
    const folder = temporary.name("");
    const [one, other] = [createFileStore({ folder }), createFileStore({ folder })];
    expect(await one.appendDecisions(SESSION, [decision("a")], noLedger)).toBeDefined();
    expect(await other.appendDecisions(SESSION, [decision("b")], noLedger)).toBeUndefined();
    const seen = await other.readLedger(SESSION);
    expect((await other.appendDecisions(SESSION, [decision("b")], seen))?.decisions).toEqual([
      decision("a"),
      decision("b"),
    ]);
  });

  it("counts only the first of two lines that were written for the same place, whoever reads", async () => {
    const folder = temporary.name("");
    const store = createFileStore({ folder });
    await store.appendDecisions(SESSION, [decision("a")], noLedger);
    const file = path.join(folder, "sessions", SESSION.slice(0, 2), `${SESSION}.ledger.jsonl`);
    // The line of an instance that had looked a moment too early.
    appendFileSync(file, readFileSync(file, "utf8").replace('"block":"a"', '"block":"late"'));
    expect((await store.readLedger(SESSION)).decisions).toEqual([decision("a")]);
  });

  it("passes over what a killed writer left of a line, at whatever byte, and goes on behind it", async () => {
    const whole = `${JSON.stringify({ at: 0, decisions: [decision("torn")] })}`;
    for (let length = 1; length < whole.length; length += 7) {
      const folder = temporary.name("");
      const store = createFileStore({ folder });
      await store.appendDecisions(SESSION, [decision("a")], noLedger);
      const file = path.join(folder, "sessions", SESSION.slice(0, 2), `${SESSION}.ledger.jsonl`);
      appendFileSync(file, whole.slice(0, length));
      const seen = await createFileStore({ folder }).readLedger(SESSION);
      expect(seen.decisions).toEqual([decision("a")]);
      await store.appendDecisions(SESSION, [decision("b")], seen);
      expect((await createFileStore({ folder }).readLedger(SESSION)).decisions).toEqual([decision("a"), decision("b")]);
    }
  });

  it("keeps originals byte for byte under their handles, lone surrogates and all, for its owner only", async () => {
    const folder = temporary.name("");
    const store = createFileStore({ folder });
    const text = "draught ä 😀\r\n\u0000";
    const handle = nameOriginal(text);
    await store.keepOriginals([
      { handle, text },
      { handle, text },
    ]);
    expect(await store.readOriginal(handle)).toBe(text);
    expect(await store.readOriginal("plimsoll:000000000000")).toBeUndefined();
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it("remembers facts across instances, and forgets what is none", async () => {
    const folder = temporary.name("");
    const store = createFileStore({ folder });
    const facts = {
      cache: { ...emptyCacheState, cachedTokens: 7, lastUsedMs: 3 },
      requests: 2,
      baseTokens: 9,
      lastSentMessage: "message:1",
      lastSentHash: "0123",
      outlived: 1,
    };
    store.saveFacts(SESSION, facts);
    expect(await store.readFacts(SESSION)).toEqual(facts);
    await store.close();
    expect(await createFileStore({ folder }).readFacts(SESSION)).toEqual(facts);
    expect(await store.readFacts("f".repeat(32))).toBeUndefined();
  });

  it("keeps a journal by the day for thirty days, and no file that is not of it", async () => {
    const folder = temporary.name("");
    const journal = path.join(folder, "journal");
    mkdirSync(journal, { recursive: true });
    for (const name of ["2026-01-29.jsonl", "2026-01-31.jsonl", "notes.txt"])
      writeFileSync(path.join(journal, name), "");
    const store = createFileStore({ folder, nowMs: () => Date.UTC(2026, 2, 1, 12) });
    expect(readdirSync(journal).sort()).toEqual(["2026-01-31.jsonl", "notes.txt"]);
    for (const user of ["ada", "bob"]) store.note({ ...ENTRY, user });
    await store.close();
    const [today = ""] = readdirSync(journal).filter((name) => !["2026-01-31.jsonl", "notes.txt"].includes(name));
    expect(today).toMatch(/^\d{4}-\d\d-\d\d\.jsonl$/);
    const lines = readFileSync(path.join(journal, today), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).user)).toEqual(["ada", "bob"]);
    expect(store.lost()).toBe(0);
  });

  it.each(["", "..", "../../etc", "x".repeat(32), SESSION.toUpperCase()])(
    "makes no path of the name %j",
    async (name) => {
      await expect(createFileStore({ folder: temporary.name("") }).readLedger(name)).rejects.toThrow(TypeError);
    },
  );
});
