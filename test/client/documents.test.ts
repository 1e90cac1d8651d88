/** If red: a document that breaks the project's conventions goes unnoticed, or one that keeps them is complained of. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { expectLawful } from "../laws/verdict.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { type Play, play, sent } from "./play.ts";

let session: Play | undefined;
afterEach(() => session?.close());

const SAID = "breaks these conventions";

describe.each(ENTRY_POINTS)("a document that the model changes, with $name", ({ version, plugins }) => {
  /** One call a request, then the end. The project's folder is known only when the session is opened. */
  async function run(...calls: readonly ((cwd: string) => ReturnType<typeof call>)[]): Promise<Play> {
    let cwd = "";
    const opened = await play({
      main: (_request, index) => {
        const next = calls[index];
        return next === undefined ? answer("Done.") : answer(next(cwd));
      },
    });
    cwd = opened.workspace.cwd;
    session = opened;
    await opened.workspace.writeFile("docs/mast.md", "# Mast\n\nThe mast is pine.\n- Never paint it.\n");
    return opened;
  }
  const go = (opened: Play) =>
    opened.run({ prompts: ["Write it up."], version, plugins, args: ["--permission-mode", "acceptEdits"] });
  const write = (name: string, content: string) => (cwd: string) =>
    call("Write", { file_path: join(cwd, name), content });
  const edit = (old: string, now: string) => (cwd: string) =>
    call("Edit", { file_path: join(cwd, "docs/mast.md"), old_string: old, new_string: now });

  it("[R151] is held against the conventions, and only what breaks one is said, by name, once", async () => {
    const opened = await run(
      write("docs/hull.md", "# Hull\n\nThe hull is oak.\n"),
      write("docs/keel.md", "# Keel\n\n- Always caulk with oakum.\n"),
      write("docs/keel.md", "# Keel\n\n- Always caulk with much oakum.\n"),
    );
    await go(opened);
    const requests = opened.api.requests.filter(({ lane }) => lane === "main");
    expect(sent(requests[1])).not.toContain(SAID);
    const last = sent(requests.at(-1));
    expect(last.split(SAID)).toHaveLength(2);
    expect(last).toContain("- instructions: ");
    expect(last).not.toContain("- figures: ");
    expect((await opened.actions()).filter(({ kind }) => kind === "injected")).toMatchObject([{ what: "docs" }]);
    expectLawful(await opened.audit());
  });

  it("[R151] is not spoken of where the call has failed, nor for what stood there before", async () => {
    const opened = await run(
      // A file is no folder, and no birch stands in the text.
      write("docs/mast.md/deep.md", "- Always use oakum.\n"),
      (cwd) => call("Read", { file_path: join(cwd, "docs/mast.md") }),
      edit("birch", "Always use oakum."),
      edit("pine", "spruce"),
    );
    await go(opened);
    const last = sent(opened.api.requests.findLast(({ lane }) => lane === "main"));
    expect(last.match(/ENOTDIR|EEXIST|not a directory/gi)).not.toBeNull();
    expect(last).toMatch(/String to replace not found/);
    expect(await readFile(join(opened.workspace.cwd, "docs/mast.md"), "utf8")).toContain("spruce");
    expect(last).not.toContain(SAID);
  });
});
