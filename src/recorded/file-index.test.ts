/** If red: changed session files are not read again, or all are read each time. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFakeTerminal } from "../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { UsageScan } from "../hosts/usage.ts";
import { openUsageIndex } from "./file-index.ts";

const NOW = 1_800_000_000_000;
const temporary = createTemporaryFolder();
const file = { path: writeSession("a"), project: "p", bytes: 10, modifiedMs: NOW - 60_000, isSubagent: false };
const scan: UsageScan = {
  steps: [],
  misses: [],
  compactions: [],
  toolCalls: 7,
  sessionId: "s",
  title: "t",
  folder: "/p",
  lines: { read: 1, notAboutUsage: 2, malformed: 0 },
};

function openIn(home: string) {
  return openUsageIndex(createFakeTerminal({ environment: { CLAUDE_CONFIG_DIR: home }, nowMs: () => NOW }));
}

function writeSession(name: string): string {
  const session = path.join(temporary.folder, `${name}.jsonl`);
  writeFileSync(session, "");
  return session;
}

function makeHome(): string {
  return mkdtempSync(path.join(tmpdir(), "plimsoll-index-"));
}

describe("the usage index", () => {
  it("knows a file again by its size and time, and only then", () => {
    const home = makeHome();
    const index = openIn(home);
    index.put(file, scan);
    index.save();
    const again = openIn(home);
    expect(again.find(file)).toEqual(scan);
    expect(again.find({ ...file, bytes: 11 })).toBeUndefined();
    expect(again.find({ ...file, modifiedMs: NOW - 59_999 })).toBeUndefined();
  });

  it("is readable by its owner only", () => {
    const home = makeHome();
    const index = openIn(home);
    index.put(file, scan);
    index.save();
    expect(statSync(path.join(home, "data/plimsoll/usage-index.json")).mode & 0o777).toBe(0o600);
  });

  it("does not trust a file that was written a moment ago", () => {
    const home = makeHome();
    const index = openIn(home);
    const fresh = { ...file, modifiedMs: NOW - 500 };
    index.put(fresh, scan);
    index.save();
    expect(openIn(home).find(fresh)).toBeUndefined();
  });

  it.each(["", "{", "[]", '{"format":1,"scans":{}}', '{"format":2,"scans":{"/sessions/a.jsonl":{"bytes":10}}}'])(
    "is void when it is broken or of another format: %s",
    (text) => {
      const home = makeHome();
      const index = openIn(home);
      index.put(file, scan);
      index.save();
      writeFileSync(path.join(home, "data/plimsoll/usage-index.json"), text);
      expect(openIn(home).find(file)).toBeUndefined();
    },
  );

  it("keeps what is still there though it was not asked for, and forgets what is gone", () => {
    const home = makeHome();
    const index = openIn(home);
    const gone = { ...file, path: writeSession("gone") };
    for (const one of [file, gone]) index.put(one, scan);
    index.save();
    rmSync(gone.path);
    const later = openIn(home);
    later.put({ ...file, path: writeSession("later") }, scan);
    later.save();
    const kept = openIn(home);
    expect(kept.find(file)).toEqual(scan);
    expect(kept.find(gone)).toBeUndefined();
  });

  it("lets a home that cannot be written cost nothing", () => {
    const index = openIn("/dev/null");
    index.put(file, scan);
    expect(() => index.save()).not.toThrow();
  });
});
