/** If red: two processes write one file at once, or a lock of a dead process blocks all later ones. */
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { StoreError } from "./private-files.ts";
import { holdLock, withLock } from "./with-lock.ts";

const temporary = createTemporaryFolder();
const MINUTE_S = 60;

/** A folder with nothing in it, and the place of a lock there. */
function openPlace(): { readonly folder: string; readonly lock: string } {
  const folder = temporary.name("-place");
  mkdirSync(folder);
  return { folder, lock: path.join(folder, ".lock") };
}

function setAge(place: string, seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  utimesSync(place, at, at);
}

describe("a lock", () => {
  it("is held while the work runs, and gone after it", () => {
    const { lock } = openPlace();
    expect(withLock(lock, () => existsSync(lock))).toBe(true);
    expect(existsSync(lock)).toBe(false);
  });

  it("is gone after work that fails, too", async () => {
    const { lock } = openPlace();
    const fail = (): never => {
      throw new Error("the disk is full");
    };
    expect(() => withLock(lock, fail)).toThrow("the disk is full");
    await expect(holdLock(lock, async () => fail())).rejects.toThrow("the disk is full");
    expect(existsSync(lock)).toBe(false);
  });

  it("lets work run one after the other, though each part of it waits for something", async () => {
    const { lock } = openPlace();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      steps.push(`${name} ends`);
    };
    await Promise.all([holdLock(lock, work("one")), holdLock(lock, work("other"))]);
    expect(steps).toEqual(["one begins", "one ends", "other begins", "other ends"]);
  });

  it("that another process holds is not broken: the work is refused", () => {
    const { lock } = openPlace();
    mkdirSync(lock);
    expect(() => withLock(lock, () => "done", { waitMs: 20 })).toThrow(StoreError);
    expect(() => withLock(lock, () => "done", { waitMs: 20 })).toThrow(`uses the lock ${lock}`);
    expect(existsSync(lock)).toBe(true);
  });

  it.each([
    ["a minute old", MINUTE_S],
    ["a minute in the future", -MINUTE_S],
  ])("that is %s belongs to nobody, and leaves nothing behind", async (_age, seconds) => {
    const { folder, lock } = openPlace();
    const leave = (): void => {
      mkdirSync(lock);
      writeFileSync(path.join(lock, "left"), "by a process that died");
      chmodSync(lock, 0o500);
      setAge(lock, seconds);
    };
    leave();
    expect(withLock(lock, () => "done", { waitMs: 20 })).toBe("done");
    leave();
    expect(await holdLock(lock, async () => "done")).toBe("done");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that is a file is removed once it is old", () => {
    const { folder, lock } = openPlace();
    writeFileSync(lock, "from a repository");
    setAge(lock, MINUTE_S);
    expect(withLock(lock, () => "done", { waitMs: 20 })).toBe("done");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that is a link to a folder is not taken for an old one, and what it leads to stays", () => {
    const { folder, lock } = openPlace();
    const target = path.join(folder, "target");
    mkdirSync(target);
    setAge(target, MINUTE_S);
    symlinkSync(target, lock);
    expect(() => withLock(lock, () => "done", { waitMs: 20 })).toThrow(StoreError);
    expect(readdirSync(folder).sort()).toEqual([".lock", "target"]);
  });
});
