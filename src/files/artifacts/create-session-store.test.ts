/** If red: originals of a session cannot be fetched back, or a project plants false ones. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sha256 } from "../../core/sha256.ts";
import { createSessionStore, LEDGER_TOOL, type SessionStore } from "./create-session-store.ts";

const PLANK = sha256("plank");
const temporary = createTemporaryFolder();

interface Place {
  readonly project: string;
  readonly dataFolder: string;
  readonly store: SessionStore;
}

function open(sessionId = "s-1"): Place {
  const [project, dataFolder] = [temporary.name("-project"), temporary.name("-data")];
  mkdirSync(project);
  return { project, dataFolder, store: createSessionStore({ project, dataFolder, sessionId }, () => 7) };
}
const original = (output: string) => ({ output, tool: "Bash", command: "make" });
/** Nothing can be made below a file. */
function block(...folders: readonly string[]): void {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.dirname(folder), { recursive: true });
    writeFileSync(folder, "in the way");
  }
}

describe("the store of a session's originals", () => {
  it("gives an original back by its whole hash, by its handle's digits, and byte for byte", () => {
    const { store } = open();
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (output) => {
        const hash = sha256(output);
        expect(store.keep(original(output))).toMatchObject({ sha256: hash, handle: `plimsoll:${hash.slice(0, 12)}` });
        expect([store.read(hash), store.read(hash.slice(0, 12))]).toEqual([output, output]);
      }),
      { numRuns: 40 },
    );
  });

  it("takes one of any size whole", () => {
    const { store } = open();
    const huge = `${"plank ".repeat(1_000_000)}end`;
    expect(store.read(store.keep(original(huge))?.sha256 ?? "") === huge).toBe(true);
  });

  it.each([
    ".plimsoll",
    ".plimsoll/artifacts",
    ".plimsoll/artifacts/objects",
    ".plimsoll/artifacts/records",
    `.plimsoll/artifacts/objects/${PLANK.slice(0, 2)}`,
  ])("writes nothing through a link at %s, and takes the data folder", (link) => {
    const { project, dataFolder, store } = open();
    const outside = temporary.name("-outside");
    mkdirSync(outside);
    mkdirSync(path.dirname(path.join(project, link)), { recursive: true });
    symlinkSync(outside, path.join(project, link));
    expect(store.keep(original("plank"))?.path).toContain(`${dataFolder}/artifacts/`);
    expect(readdirSync(outside)).toEqual([]);
    expect(store.read(PLANK)).toBe("plank");
  });

  it("reads nothing through a link that the project brings in the place of what was stored", () => {
    const { project, store } = open();
    store.keep(original("plank"));
    const objects = path.join(project, ".plimsoll/artifacts/objects");
    const outside = temporary.name("-outside");
    renameSync(objects, outside);
    symlinkSync(outside, objects);
    expect(store.read(PLANK)).not.toBe("plank");
  });

  it("keeps nothing and throws nothing where neither place can be written, and is open again once one can", () => {
    const { project, dataFolder, store } = open();
    block(path.join(project, ".plimsoll"), path.join(dataFolder, "artifacts"));
    expect([store.isOpen(), store.keep(original("plank"))]).toEqual([false, undefined]);
    rmSync(path.join(project, ".plimsoll"));
    // The last original found no room.
    expect(store.isOpen()).toBe(false);
    expect(store.keep(original("plank"))).toBeDefined();
    expect(store.isOpen()).toBe(true);
  });

  it("gives back nothing that the project brought under its true hash, and lists only what this session stored", () => {
    const { project, store } = open();
    const folder = path.join(project, ".plimsoll/artifacts/objects", PLANK.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, PLANK), "plank");
    expect([typeof store.read(PLANK), store.own()]).toEqual(["object", []]);
    store.keep(original("plank"));
    expect([store.read(PLANK), store.own()]).toEqual(["plank", [`plimsoll:${PLANK}`]]);
  });

  it("[R208] names the readable files of this session's results, the newest first, without the segments of a ledger", () => {
    const { project, dataFolder } = open();
    let nowMs = 0;
    const store = createSessionStore({ project, dataFolder, sessionId: "s-1" }, () => nowMs++);
    const kept = ["keel", "mast"].map((output) => store.keep(original(output))?.path ?? "");
    store.keep({ ...original("segment"), tool: LEDGER_TOOL });
    createSessionStore({ project, dataFolder, sessionId: "s-2" }).keep(original("sail"));
    expect(store.paths()).toEqual(kept.toReversed());
    expect(kept.map((name) => readFileSync(path.join(project, name), "utf8").split("\n").at(-1))).toEqual([
      "keel",
      "mast",
    ]);
  });

  it("archives results by call, in a file of their own that only the person reads, newest first", () => {
    const { dataFolder, store } = open();
    const long = `a${"\u{1f6a2}".repeat(300_000)}\u0001`;
    expect(store.archive([{ callId: "c1", text: "old" }])).toBe(true);
    expect(
      store.archive([
        { callId: 'c"2', text: '{"callId":"c1"}\n' },
        { callId: "c1", text: long },
      ]),
    ).toBe(true);
    expect(store.archive([])).toBe(true);
    expect(store.archived("c1") === long).toBe(true);
    expect([store.archived('c"2'), store.archived("c")]).toEqual(['{"callId":"c1"}\n', undefined]);
    const folder = path.join(dataFolder, "sessions/s-1");
    const names = readdirSync(folder);
    expect(names).toEqual(["archive-7-1.jsonl", "archive-8-1.jsonl"]);
    expect(names.map((name) => statSync(path.join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("says so where results cannot be archived: then nothing may leave the window", () => {
    const { dataFolder, store } = open();
    block(path.join(dataFolder, "sessions/s-1"));
    expect(store.archive([{ callId: "c1", text: "x" }])).toBe(false);
  });
});
