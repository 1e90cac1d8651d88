/** If red: the page loads something from the network, or is too large to open at once. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const PAGE = path.resolve(import.meta.dirname, "../dist/page");
const read = (name: string): string => readFileSync(path.join(PAGE, name), "utf8");

describe("the dashboard's page as it is built", () => {
  it("has a script of at most 60 KB, compressed", () => {
    expect(gzipSync(read("page.js"), { level: 9 }).length).toBeLessThanOrEqual(60 * 1024);
  });

  it("names no other place to load anything from", () => {
    // The names of XML's vocabularies look like addresses and are none.
    const text = ["index.html", "page.js", "page.css", "icon.svg"]
      .map(read)
      .join("\n")
      .replaceAll("http://www.w3.org/", "");
    expect(text.match(/(?:https?:)?\/\/[a-z0-9-]+\.[a-z]{2,}/gi) ?? []).toEqual([]);
  });

  it("holds no script and no style between its own lines, so that the policy may forbid them", () => {
    expect(read("index.html")).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
    expect(read("page.js")).not.toMatch(/\bdangerouslySetInnerHTML=|\.innerHTML=(?!\w)|\bnew Function\b|\beval\(/);
  });
});
