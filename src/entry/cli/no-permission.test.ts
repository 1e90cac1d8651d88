/** If red: a folder that may not be read looks like one without sessions. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { asOrdinaryUser } from "../../../test/support/needs.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "../../../test/support/transcript-lines.ts";
import { COMMANDS } from "./catalogue.ts";

const { name } = createTemporaryFolder();
const closed = name();
writeFileSync(closed, toFile(transcript(prompt("go"), answer("m1", ["done"], { output_tokens: 12 }))));
chmodSync(closed, 0);

const readers = COMMANDS.filter(({ options }) => options.some((option) => option.name === "transcript"));
/** What a command asks for before it looks at a file. */
const FIRST: Readonly<Record<string, readonly string[]>> = { packet: ["Mend it"] };
const lines = [
  ...readers.map((command) => [command.name, ...(FIRST[command.name] ?? []), "--transcript", closed]),
  ["stats", closed],
  ["fold", closed],
];

asOrdinaryUser.describe("a folder of sessions that may not be read", () => {
  it("is not taken for an empty one", async () => {
    const home = name("-home");
    const projects = path.join(home, ".claude/projects");
    mkdirSync(projects, { recursive: true });
    chmodSync(projects, 0);
    for (const words of [["now"], ["stats"]]) {
      const { output, remarks } = await runPlimsoll(words, { environment: { HOME: home } });
      // A long path is wrapped.
      expect((output + remarks).replaceAll(/\s+/g, " ")).toContain(`${projects} (no permission to read it)`);
    }
    chmodSync(projects, 0o700);
  });

  it("is named by plimsoll doctor, one project's among others, too", async () => {
    const home = name("-home");
    const [open, shut] = ["open", "shut"].map((project) => path.join(home, ".claude/projects", project));
    for (const folder of [open, shut]) mkdirSync(folder ?? "", { recursive: true });
    chmodSync(shut ?? "", 0);
    const { output, exitCode } = await runPlimsoll(["doctor", "--json"], { environment: { HOME: home } });
    expect(JSON.parse(output).problems).toEqual(
      expect.arrayContaining([
        {
          what: `1 folder of recorded sessions may not be read, so no figure has what is in ${shut}`,
          fix: expect.any(String),
        },
      ]),
    );
    expect(exitCode).toBe(1);
    chmodSync(shut ?? "", 0o700);
  });
});

asOrdinaryUser.describe("a file that may not be read", () => {
  it.each(lines)("is told in the same words by plimsoll %s", async (...words) => {
    const { exitCode, output, remarks } = await runPlimsoll(words);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(remarks).toMatch(/^plimsoll: [^\n]*no permission: [^\n]+\n$/);
  });
});
