/** If red: cleaning up deletes originals that can still be recalled, or keeps what is too old. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createArtifactStore } from "./artifacts.ts";
import type { PruneOptions } from "./prune-artifacts.ts";

const temporary = createTemporaryFolder();
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);

/** Five outputs of 100 bytes, one a day, the last two of the session `now`; the second and the fourth are alike. */
function createStore() {
  const project = temporary.name("-project");
  mkdirSync(project);
  for (let day = 5; day >= 1; day--) {
    const output = `${day % 2 === 0 ? "alike" : `day-${day}`}${"x".repeat(95)}`;
    createArtifactStore(project, () => NOW - day * DAY_MS).keep({
      output,
      tool: "Bash",
      sessionId: day <= 2 ? "now" : "before",
    });
  }
  const objects = path.join(project, ".plimsoll/artifacts/objects");
  for (const entry of readdirSync(objects, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(path.join(entry.parentPath, entry.name), 1, 1);
  const store = createArtifactStore(project, () => NOW);
  const countObjects = () =>
    readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  const prune = (options: PruneOptions) => {
    const pruned = store.prune(options);
    if (!pruned.ok) throw new Error(pruned.problem.detail);
    return { removed: pruned.value.removed.length, kept: pruned.value.kept, freedBytes: pruned.value.freedBytes };
  };
  return { store, prune, countObjects, objects };
}

describe("prune", () => {
  it("removes what is older than asked, and keeps contents that are still listed", () => {
    const { prune, store, countObjects } = createStore();
    expect(prune({ olderThanMs: 3.5 * DAY_MS })).toEqual({ removed: 2, kept: 3, freedBytes: 100 });
    expect(countObjects()).toBe(3);
    expect(store.verify().faults).toEqual([]);
  });

  it("[R62] removes what older sessions stored when a session ends", () => {
    const { prune, store } = createStore();
    expect(prune({ exceptSession: "now" })).toMatchObject({ removed: 3, kept: 2 });
    expect(store.list().artifacts.every(({ sessionId }) => sessionId === "now")).toBe(true);
  });

  it("removes the oldest until no more than so many bytes are left", () => {
    const { prune, store } = createStore();
    expect(prune({ maxBytes: 200 })).toMatchObject({ removed: 3, kept: 2 });
    expect(store.list().artifacts[0]?.generated).toBe(new Date(NOW - 2 * DAY_MS).toISOString());
  });

  it("says what it would do, and does nothing, on a dry run", () => {
    const { prune, store, countObjects } = createStore();
    expect(prune({ olderThanMs: 0, isDryRun: true })).toMatchObject({ removed: 5, kept: 0, freedBytes: 400 });
    expect(store.list().artifacts).toHaveLength(5);
    expect(countObjects()).toBe(4);
  });

  it("removes nothing where nothing was asked for", () => {
    expect(createStore().prune({})).toEqual({ removed: 0, kept: 5, freedBytes: 0 });
  });

  it("takes an original that no record lists any more with its record, however young it is, and no stray of others", () => {
    const { prune, store, countObjects, objects } = createStore();
    const stray = "ab".repeat(32);
    mkdirSync(path.join(objects, "ab"), { recursive: true });
    writeFileSync(path.join(objects, "ab", stray), "stray");
    utimesSync(path.join(objects, "ab", stray), 1, 1);
    for (const { sha256 } of store.list().artifacts)
      utimesSync(path.join(objects, sha256.slice(0, 2), sha256), NOW / 1000, NOW / 1000);
    const ended = { sessions: new Set(["before"]), named: new Set<string>() };
    expect(prune({ ended })).toEqual({ removed: 3, kept: 2, freedBytes: 200 });
    expect(countObjects()).toBe(3);
  });

  it("has nothing to do where nothing was ever kept", () => {
    const store = createArtifactStore(temporary.name("-nowhere"), () => NOW);
    expect(store.prune({ olderThanMs: 0 })).toEqual({ ok: true, value: { removed: [], kept: 0, freedBytes: 0 } });
  });
});
