/** If red: a hook reads a transcript that another user put there. */
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../../../test/support/needs.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { locateTrusted } from "./trusted-file.ts";

const { folder } = createTemporaryFolder();
const configFolder = path.join(folder, ".claude");
const projects = path.join(configFolder, "projects", "p");
mkdirSync(projects, { recursive: true });
const own = path.join(projects, "s.jsonl");
writeFileSync(own, "{}\n");
const outside = path.join(folder, "secret.txt");
writeFileSync(outside, "secret");
// The transcripts' own folder, with something behind its name.
const neighbour = path.join(configFolder, "projects-old", "s.jsonl");
mkdirSync(path.dirname(neighbour));
writeFileSync(neighbour, "{}\n");
symlinkSync(outside, path.join(projects, "link.jsonl"));
symlinkSync(folder, path.join(projects, "way-out"));
symlinkSync(own, path.join(folder, "way-in"));

describe("locateTrusted", () => {
  it("finds a transcript below the client's own folder", () => {
    expect(locateTrusted({ configFolder, env: {}, transcript: own })).toBe(own);
    expect(locateTrusted({ configFolder, env: {}, transcript: path.join(folder, "way-in") })).toBe(own);
  });

  it("finds it where the configuration folder is reached through a link", () => {
    symlinkSync(configFolder, path.join(folder, "linked"));
    expect(locateTrusted({ configFolder: path.join(folder, "linked"), env: {}, transcript: own })).toBe(own);
  });

  needs(process.getuid?.() === 0, "only root can give a file to another user").it(
    "[R183] refuses a file of another user, who may have put it there",
    () => {
      const foreign = path.join(projects, "foreign.jsonl");
      writeFileSync(foreign, "{}\n");
      expect(locateTrusted({ configFolder, env: {}, transcript: foreign })).toBe(foreign);
      chownSync(foreign, 65_534, 65_534);
      expect(locateTrusted({ configFolder, env: {}, transcript: foreign })).toBeUndefined();
    },
  );

  it.each([
    ["a file elsewhere", outside],
    ["a folder whose path begins alike", neighbour],
    ["a link out", path.join(projects, "link.jsonl")],
    ["a folder that leads out", path.join(projects, "way-out", "secret.txt")],
    ["dots that lead out", path.join(projects, "..", "..", "..", "secret.txt")],
    ["a folder", projects],
    ["a device", "/dev/zero"],
    ["a relative path", "s.jsonl"],
    ["nothing", ""],
    ["a NUL", `${own}\0`],
    ["what is not there", path.join(projects, "none.jsonl")],
  ])("[R183] refuses %s", (_, named) => {
    expect(locateTrusted({ configFolder, env: {}, transcript: own }, named)).toBeUndefined();
  });
});
