import { beforeEach, describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../test/support/fake-client.ts";
import { readIgnoreRules, readNotes, readSurroundings } from "../../files/project-reader.ts";
import { engineProjectFiles } from "./engine-project-files.ts";

const ROOT = "/home/dev/demo";
let fake: FakeClient;
beforeEach(() => {
  fake = createFakeClient();
});

const here = () => readSurroundings(engineProjectFiles(fake.client), ROOT, async (name) => `${name} rules`);
const notes = () => readNotes(engineProjectFiles(fake.client), ROOT);
const mode = async () => (await here()).mode;
const rules = async () => (await here()).rules;

describe("a project's own files", () => {
  it("are read as far as they are there", async () => {
    fake.files.set(`${ROOT}/.plimsoll/decisions.md`, "one");
    fake.files.set(`${ROOT}/.plimsoll/progress.md`, "");
    fake.files.set(`${ROOT}/.plimsoll/other.md`, "no");
    expect(await notes()).toEqual({
      texts: { "decisions.md": "one", "progress.md": "" },
      unreadable: new Map(),
      hasGit: false,
      memory: "",
    });
  });

  it("that are there and cannot be read whole are told from those that are not there", async () => {
    fake.files.set(`${ROOT}/.plimsoll/decisions.md`, "x".repeat(5 * 1024 * 1024));
    fake.links.add(`${ROOT}/.plimsoll/progress.md`);
    fake.files.set(`${ROOT}/.plimsoll/session-log.md`, "one");
    expect(await notes()).toEqual({
      texts: { "session-log.md": "one" },
      unreadable: new Map([
        ["decisions.md", "is larger than 1000000 bytes"],
        ["progress.md", "is a link"],
      ]),
      hasGit: false,
      memory: "",
    });
  });

  it("are not waited for where a pipe is in their place", async () => {
    fake.files.set(`${ROOT}/.plimsoll/.gitignore`, "*\n");
    for (const name of ["decisions.md", "active-context.md"]) fake.pipes.add(`${ROOT}/.plimsoll/${name}`);
    expect((await notes()).unreadable).toEqual(new Map([["decisions.md", "is not a regular file"]]));
    expect(await mode()).toMatchObject({ kind: "rejected", warning: expect.stringContaining("not a regular file") });
  });

  it("are not followed through links", async () => {
    fake.files.set(`${ROOT}/.plimsoll/decisions.md`, "one");
    fake.files.set(`${ROOT}/.plimsoll/rules/a.md`, "rule");
    fake.files.set(`${ROOT}/.plimsoll/rules/b.md`, "/etc/passwd");
    for (const name of ["decisions.md", "rules/b.md"]) fake.links.add(`${ROOT}/.plimsoll/${name}`);
    expect(await notes()).toEqual({
      texts: {},
      unreadable: new Map([["decisions.md", "is a link"]]),
      hasGit: false,
      memory: "",
    });
    expect(await rules()).toEqual([{ name: ".plimsoll/rules/a.md", text: "rule" }]);
  });

  it("set a mode, ours before the older tool's", async () => {
    expect(await mode()).toEqual({ kind: "none" });
    fake.files.set(`${ROOT}/.rune/active-context.md`, "review");
    expect(await mode()).toMatchObject({ kind: "set", mode: "review", file: "legacy" });
    fake.files.set(`${ROOT}/.plimsoll/active-context.md`, "off");
    expect(await mode()).toEqual({ kind: "none" });
  });

  it("hold rules in a folder of the project's own only where somebody has written settings of ours", async () => {
    fake.files.set(`${ROOT}/rules/tax.md`, "The rate is 7 %.");
    expect(await rules()).toEqual([]);
    fake.files.set(`${ROOT}/.plimsoll/rules/style.md`, "Be brief.");
    expect(await rules()).toMatchObject([{ name: ".plimsoll/rules/style.md" }]);
    fake.files.set(`${ROOT}/.plimsoll/settings.json`, "{}");
    expect(await rules()).toMatchObject([{ name: ".plimsoll/rules/style.md" }, { name: "rules/tax.md" }]);
  });

  it("hold rules in the order of their names, fifty of a folder at most", async () => {
    for (let index = 60; index > 0; index--)
      fake.files.set(`${ROOT}/.plimsoll/rules/r${index + 100}.md`, `rule ${index}`);
    fake.files.set(`${ROOT}/.plimsoll/rules/.hidden.md`, "no");
    const found = await rules();
    expect(found).toHaveLength(50);
    expect([found[0]?.name, found.at(-1)?.name]).toEqual([".plimsoll/rules/r101.md", ".plimsoll/rules/r150.md"]);
  });

  it("name the last plan, and what is to be kept out of the window", async () => {
    for (const name of ["plan-1.md", "plan-2.md", "notes.md"]) fake.files.set(`${ROOT}/.plimsoll/${name}`, "x");
    expect((await here()).plan).toBe(".plimsoll/plan-2.md");
    const ignored = () => readIgnoreRules(engineProjectFiles(fake.client), ROOT);
    expect(await ignored()).toEqual({ text: "", isDefault: true });
    fake.files.set(`${ROOT}/.ckignore`, "dist");
    fake.files.set(`${ROOT}/.plimsollignore`, "!dist/keep");
    expect(await ignored()).toEqual({ text: "dist\n!dist/keep", isDefault: false });
  });
});
