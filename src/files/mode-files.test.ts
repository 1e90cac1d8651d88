/** If red: the mode that the person set is not the one that the session is given. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { MODES } from "../policy/mode/parse-active-mode.ts";
import { readActiveMode, readModeText, writeActiveMode } from "./mode-files.ts";

const temporary = createTemporaryFolder();

function createProject(files: Readonly<Record<string, string>> = {}): string {
  const project = temporary.name("-project");
  mkdirSync(project);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
  return project;
}

const OWN = ".plimsoll/active-context.md";
const LEGACY = ".rune/active-context.md";

describe("the mode of a project", () => {
  it("is what was written last", () => {
    const project = createProject();
    writeActiveMode(project, "dev");
    expect(readFileSync(path.join(project, OWN), "utf8")).toBe("dev\n");
    writeActiveMode(project, "review");
    expect(readActiveMode(project)).toEqual({ kind: "set", mode: "review", file: "own" });
  });

  it("goes with its file, and a project without one gets no folder", () => {
    const [set, unset] = [createProject({ [OWN]: "dev\n" }), createProject()];
    for (const project of [set, unset]) writeActiveMode(project, undefined);
    expect(existsSync(path.join(set, OWN))).toBe(false);
    expect(readActiveMode(set)).toEqual({ kind: "none" });
    expect(existsSync(path.join(unset, ".plimsoll"))).toBe(false);
  });

  it("is switched off over the file of another tool, which stays as it is", () => {
    const project = createProject({ [LEGACY]: "dev\n" });
    expect(readActiveMode(project)).toEqual({ kind: "set", mode: "dev", file: "legacy" });
    writeActiveMode(project, undefined);
    expect(readActiveMode(project)).toEqual({ kind: "none" });
    expect(readFileSync(path.join(project, LEGACY), "utf8")).toBe("dev\n");
  });

  it("is refused with the reason where its file is none", () => {
    const project = createProject();
    mkdirSync(path.join(project, OWN), { recursive: true });
    expect(readActiveMode(project)).toMatchObject({
      kind: "rejected",
      warning: expect.stringContaining("the file is not a regular file"),
    });
  });

  it.each(MODES)("has a text of ours: %s", (mode) => {
    expect(readModeText(mode)?.toLowerCase()).toContain(`# ${mode} mode`);
  });
});
