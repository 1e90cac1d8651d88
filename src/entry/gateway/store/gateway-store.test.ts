/** If red: a failure of the store stays unseen, or a ledger loses its earlier decisions. */
import { describe, expect, it } from "vitest";
import { editsOf } from "../../../../test/support/build.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { RecalledAnswer } from "../recall/round.ts";
import { createFileStore } from "./file-store.ts";
import { addItems, type GatewayStore, noLedger, requireSession, watchStore } from "./gateway-store.ts";

const temporary = createTemporaryFolder();
const SESSION = "0123456789abcdef0123456789abcdef";
const edit = (block: string) => editsOf([]).replaceBlock(block, "short");
const recalled: RecalledAnswer = { kind: "recalled", behind: "", rounds: [] };

it("a ledger grows at its end, and keeps the list of which nothing was added", () => {
  const first = addItems(noLedger, [edit("a"), recalled], 3, 1);
  expect(first).toEqual({ decisions: [edit("a")], recalls: [recalled], version: 3, skipped: 1 });
  const second = addItems(first, [edit("b")], 4);
  expect(second).toEqual({ ...first, decisions: [edit("a"), edit("b")], version: 4 });
  expect(second.recalls).toBe(first.recalls);
  const third = addItems(second, [recalled], 5, 2);
  expect(third.decisions).toBe(second.decisions);
  expect([third.recalls.length, third.skipped]).toEqual([2, 3]);
});

it.each(["", "x", SESSION.slice(1), `${SESSION}0`, SESSION.toUpperCase(), `${SESSION}\n`])(
  "is no name of a session: %j",
  (name) => {
    expect(() => requireSession(name)).toThrow(TypeError);
    expect(() => requireSession(SESSION)).not.toThrow();
  },
);

describe("a watched store", () => {
  const files = createFileStore({ folder: temporary.name("") });
  const watch = (store: GatewayStore) => {
    const counted: string[] = [];
    return { counted, store: watchStore(store, (operation) => void counted.push(operation)) };
  };

  it("does what the store does, and counts nothing that works", async () => {
    const { counted, store } = watch({ ...files, shareUse: async () => [] });
    const made = await store.appendDecisions(SESSION, [edit("a")], noLedger);
    expect(await store.readLedger(SESSION)).toEqual(made);
    expect(await store.readLedger(SESSION, made)).toBe(made);
    const held = await store.holdLedger(SESSION, made);
    expect([held.ledger, held.isHeld]).toEqual([made, true]);
    held.release();
    await store.keepOriginals([]);
    expect(await store.readOriginal("plimsoll:000000000000")).toBeUndefined();
    expect(await store.readFacts(SESSION)).toBeUndefined();
    await store.check();
    expect([await store.shareUse?.([]), store.lost(), watch(files).store.shareUse]).toEqual([[], 0, undefined]);
    expect(counted).toEqual([]);
  });

  it("counts each operation that fails by its name, and fails", async () => {
    const fault = new Error("away");
    const fail = () => Promise.reject(fault);
    const { counted, store } = watch({
      ...{ ...files, readLedger: fail, holdLedger: fail, appendDecisions: fail, keepOriginals: fail },
      ...{ readOriginal: fail, readFacts: fail, check: fail, shareUse: fail },
    });
    const asked = [
      () => store.readLedger(SESSION),
      () => store.holdLedger(SESSION),
      () => store.appendDecisions(SESSION, [], noLedger),
      () => store.keepOriginals([]),
      () => store.readOriginal(""),
      () => store.readFacts(SESSION),
      () => store.check(),
      async () => store.shareUse?.([]),
    ];
    for (const ask of asked) await expect(ask()).rejects.toBe(fault);
    expect(counted).toEqual(
      "read_ledger hold_ledger append_decisions keep_originals read_original read_facts check share_use".split(" "),
    );
  });
});
