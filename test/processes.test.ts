/** If red: Plimsoll starts a program that its documents do not list. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(path.join(ROOT, name), "utf8");

/** Every way to start a process from Node, and from a module inside the client. */
const STARTS = /node:child_process|node:cluster|\bprocess\.(?:run|spawn)\(|\bBun\.spawn/;

const starting = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll(path.sep, "/"))
  .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
  .filter((name) => STARTS.test(read(`src/${name}`)));

describe("the processes that Plimsoll starts", () => {
  it("are those that docs/reference/processes.md lists", () => {
    const listed = [...read("docs/reference/processes.md").matchAll(/^\| `(entry\/\S+)` \|/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(starting.sort());
  });

  it("include no git: it starts what a repository's settings name", () => {
    for (const name of starting) expect(read(`src/${name}`)).not.toMatch(/"git"/);
  });
});
