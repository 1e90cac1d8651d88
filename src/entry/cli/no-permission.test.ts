/** If red: a folder that may not be read looks like one without sessions. */
import { execFileSync } from "node:child_process";
import { accessSync, chmodSync, constants, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { asOrdinaryUser, needs } from "../../../test/support/needs.ts";
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

function isRootClosed(): boolean {
  try {
    accessSync("/root", constants.X_OK);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES";
  }
}

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
          fix: `make them readable: chmod -R u+rwX '${shut}'`,
        },
      ]),
    );
    expect(exitCode).toBe(1);
    chmodSync(shut ?? "", 0o700);
  });

  /** What doctor says of the folders that are closed below a home, and whether its commands open them. */
  async function heal(home: string, folders: readonly string[], closed: readonly string[]): Promise<unknown> {
    for (const folder of folders) mkdirSync(path.join(home, folder), { recursive: true });
    for (const folder of closed) chmodSync(path.join(home, folder), 0);
    const examine = async (): Promise<readonly { what: string; fix: string }[]> => {
      const { output } = await runPlimsoll(["doctor", "--json"], { environment: { HOME: home } });
      const problems: readonly { what: string; fix: string }[] = JSON.parse(output).problems;
      return problems.filter(({ what }) => what.includes("recorded sessions may not be read"));
    };
    const [found] = await examine();
    execFileSync("sh", ["-c", found?.fix.replace(/^[^:]*: /, "") ?? ""]);
    return { said: found?.what.replaceAll(`${home}/`, ""), after: await examine() };
  }

  const SAID = "may not be read, so no figure has what is in";
  it.each([
    [
      "at any depth, all of them",
      [".codex/sessions/2026/11/19", ".codex/sessions/2026/11/20", ".pi/agent/sessions/--it's $HOME--"],
      [".codex/sessions/2026/11/19", ".pi/agent/sessions/--it's $HOME--"],
      `2 folders of recorded sessions ${SAID} .codex/sessions/2026/11/19, .pi/agent/sessions/--it's $HOME--`,
    ],
    [
      "by the one above them that bars the way",
      [".codex/sessions"],
      [".codex"],
      `1 folder of recorded sessions ${SAID} .codex`,
    ],
    [
      "only where they can hold sessions",
      [".local/share/opencode/bin", ".local/share/opencode/log"],
      [".local/share/opencode/bin"],
      undefined,
    ],
  ] as const)("are named by plimsoll doctor %s, with the command that opens them", async (_, folders, closed, said) => {
    expect(await heal(name("-home"), folders, closed)).toEqual({ said, after: [] });
  });

  needs(isRootClosed(), "no closed folder of another user").it(
    "is taken over where it is another user's below the person's home, and asked for elsewhere",
    async () => {
      for (const [HOME, fix] of [
        ["/", "make them readable: sudo chown -R \"$USER\" '/root'"],
        [name("-home"), "make them readable: ask the owner of '/root'"],
        ["/root", "make them readable: ask the owner of '/root'"],
      ]) {
        const environment = { HOME, CODEX_HOME: "/root" };
        const { output } = await runPlimsoll(["doctor", "--json"], { environment });
        expect(JSON.parse(output).problems).toContainEqual({ what: expect.stringMatching(/ in \/root$/), fix });
      }
    },
  );
});

asOrdinaryUser.describe("a file that may not be read", () => {
  it.each(lines)("is told in the same words by plimsoll %s", async (...words) => {
    const { exitCode, output, remarks } = await runPlimsoll(words);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(remarks).toMatch(/^plimsoll: [^\n]*no permission: [^\n]+\n$/);
  });
});
