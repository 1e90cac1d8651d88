/** If red: the note of a finished task is written under a name under which it is never found again. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateColdHome, md5 } from "./cold-paths.ts";

function reference(content: string): string {
  return createHash("md5").update(content).digest("hex");
}

describe("md5", () => {
  it("gives the standard's own examples", () => {
    expect(md5("")).toBe("d41d8cd98f00b204e9800998ecf8427e");
    expect(md5("message digest")).toBe("f96b697d7cb7938d525a2f31aaf161d0");
  });

  it("agrees with the platform at every length around the ends of blocks", () => {
    const lengths = Array.from({ length: 200 }, (_, length) => length);
    const texts = lengths.map((length) => "x".repeat(length));
    expect(texts.map(md5)).toEqual(texts.map(reference));
  });

  it("takes a text as its UTF-8 bytes", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => md5(text) === reference(text)));
  });
});

describe("the folder above the pipeline's own", () => {
  it.each([
    ["/home/me/.claude", "/elsewhere", "/home/me"],
    ["C:\\Users\\me\\.claude\\", "", "C:\\Users\\me"],
    ["/tmp/plimsoll", "/home/me", "/tmp/plimsoll"],
    ["/opt/settings", "/home/me", "/home/me"],
    ["/opt/settings", undefined, "/opt"],
  ])("of %s, with the home %s, is %s", (configFolder, home, found) => {
    expect(locateColdHome(configFolder, home)).toBe(found);
  });
});
