/** If red: a program built with the library loses originals, or others on the machine can read them. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sha256 as ownSha256 } from "../../core/sha256.ts";
import { sha256 as nativeSha256 } from "../native-sha256.ts";
import { openOriginals } from "./folder-originals.ts";
import { sha256 } from "./platform-sha256.ts";

const temporary = createTemporaryFolder();

describe("originals in a folder of the builder's own", () => {
  it("are read back as they were, by whoever opens it next, and by nobody else", async () => {
    const folder = temporary.name("-originals");
    mkdirSync(folder);
    const texts = ["one", "ä 😀\r\n\u0000"];
    openOriginals(folder).store(texts.map((text) => ({ handle: "", hash: sha256(text), text })));
    const next = openOriginals(folder);
    expect([...(await next.hashes())].sort()).toEqual(texts.map(sha256).sort());
    expect(await Promise.all(texts.map((text) => next.read(sha256(text))))).toEqual(texts);
    expect(await next.read(sha256("another"))).toBeUndefined();
    expect(statSync(path.join(folder, ".plimsoll")).mode & 0o777).toBe(0o700);
  });

  it("are refused where there can be no folder, before anything is removed from a conversation", () => {
    const file = temporary.name();
    writeFileSync(file, "");
    expect(() => openOriginals(file)).toThrow(file);
  });

  it("have the same name whichever of the three hashes names them", () => {
    const texts = ["", "keel", "ä 😀", "half a pair \ud800 in the middle", "x".repeat(100_000)];
    for (const content of [...texts, new Uint8Array([0, 255, 128])]) {
      expect(sha256(content)).toBe(ownSha256(content));
      expect(nativeSha256(content)).toBe(ownSha256(content));
    }
  });
});
