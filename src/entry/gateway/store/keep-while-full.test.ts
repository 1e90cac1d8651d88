/** If red: a full disk loses decisions, and conversations are sent whole again. */
import { describe, expect, it } from "vitest";
import { editsOf } from "../../../../test/support/build.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { nameWhole } from "../../../layers/history/originals.ts";
import { createFileStore } from "./file-store.ts";
import { type GatewayStore, noLedger } from "./gateway-store.ts";
import { keepWhileFull } from "./keep-while-full.ts";

const temporary = createTemporaryFolder();
const SESSION = "0123456789abcdef0123456789abcdef";
const decision = (block: string) => editsOf([]).replaceBlock(block, "short");
const ORIGINAL = nameWhole("the whole of it");

/** A store of files whose disk can be full, or fail in another way. */
function openDisk() {
  const files = createFileStore({ folder: temporary.name("-store") });
  const disk = { code: "" };
  const write = <Given extends readonly unknown[], Answer>(run: (...given: Given) => Promise<Answer>) => {
    return async (...given: Given): Promise<Answer> => {
      if (disk.code !== "") throw Object.assign(new Error("the disk refuses"), { code: disk.code });
      return run(...given);
    };
  };
  const store: GatewayStore = {
    ...files,
    keepOriginals: write(files.keepOriginals),
    appendDecisions: write(files.appendDecisions),
  };
  return { disk, files, store: keepWhileFull(store) };
}

describe("a full disk", () => {
  it.each(["ENOSPC", "EDQUOT"])(
    "is kept from everybody who asks, and gets all of it when there is room: %s",
    async (code) => {
      const { disk, files, store } = openDisk();
      const before = await store.appendDecisions(SESSION, [decision("a")], noLedger);
      disk.code = code;
      await store.keepOriginals([ORIGINAL]);
      const second = await store.appendDecisions(SESSION, [decision("b")], before ?? noLedger);
      const third = await store.appendDecisions(SESSION, [decision("c")], second ?? noLedger);
      const all = [decision("a"), decision("b"), decision("c")];
      expect(third?.decisions).toEqual(all);
      expect(await store.readLedger(SESSION, third)).toBe(third);
      const held = await store.holdLedger(SESSION, third);
      expect(held.ledger).toBe(third);
      held.release();
      for (const name of [ORIGINAL.handle, ORIGINAL.hash]) expect(await store.readOriginal(name)).toBe(ORIGINAL.text);
      await expect(store.check()).rejects.toThrow("the disk refuses");
      expect((await files.readLedger(SESSION)).decisions).toEqual([decision("a")]);

      disk.code = "";
      await store.check();
      expect((await files.readLedger(SESSION)).decisions).toEqual(all);
      expect(await files.readOriginal(ORIGINAL.handle)).toBe(ORIGINAL.text);
      expect((await store.readLedger(SESSION, third)).decisions).toEqual(all);
      // Nothing is left to be written a second time.
      await store.check();
      await store.close();
      expect((await files.readLedger(SESSION)).decisions).toEqual(all);
    },
  );

  it("gets what it refused with the next decision that it takes", async () => {
    const { disk, files, store } = openDisk();
    disk.code = "ENOSPC";
    await store.keepOriginals([ORIGINAL]);
    const first = await store.appendDecisions(SESSION, [decision("a")], noLedger);
    disk.code = "";
    const second = await store.appendDecisions(SESSION, [decision("b")], first ?? noLedger);
    expect(second?.decisions).toEqual([decision("a"), decision("b")]);
    expect((await files.readLedger(SESSION)).decisions).toEqual([decision("a"), decision("b")]);
    expect(await files.readOriginal(ORIGINAL.handle)).toBe(ORIGINAL.text);
    expect(await store.readLedger(SESSION, second)).toBe(second);
  });

  it("refuses a decision that does not know the ones before it, as any store does", async () => {
    const { disk, store } = openDisk();
    disk.code = "ENOSPC";
    await store.appendDecisions(SESSION, [decision("a")], noLedger);
    expect(await store.appendDecisions(SESSION, [decision("b")], noLedger)).toBeUndefined();
  });

  it("gets everything when the gateway closes, if there is room by then", async () => {
    const { disk, files, store } = openDisk();
    disk.code = "ENOSPC";
    await store.keepOriginals([ORIGINAL]);
    await store.appendDecisions(SESSION, [decision("a")], noLedger);
    disk.code = "";
    await store.close();
    expect((await files.readLedger(SESSION)).decisions).toEqual([decision("a")]);
    expect(await files.readOriginal(ORIGINAL.handle)).toBe(ORIGINAL.text);
  });

  it("is no other failure: nothing is kept then, and the caller is told", async () => {
    const { disk, store } = openDisk();
    disk.code = "EACCES";
    await expect(store.keepOriginals([ORIGINAL])).rejects.toThrow("the disk refuses");
    await expect(store.appendDecisions(SESSION, [decision("a")], noLedger)).rejects.toThrow("the disk refuses");
    expect((await store.readLedger(SESSION)).decisions).toEqual([]);
    await store.check();
  });

  it("has no more than 64 MB kept for it", async () => {
    const { disk, store } = openDisk();
    disk.code = "ENOSPC";
    await store.keepOriginals([{ ...ORIGINAL, text: "a".repeat(63 << 20) }]);
    await expect(store.keepOriginals([{ ...ORIGINAL, text: "b".repeat(2 << 20) }])).rejects.toThrow("the disk refuses");
    await store.keepOriginals([ORIGINAL]);
    expect(await store.readOriginal(ORIGINAL.handle)).toBe(ORIGINAL.text);
  });
});
