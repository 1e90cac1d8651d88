import { existsSync, rmSync } from "node:fs";
import { readRegularFile } from "../../../../files/read-regular-file.ts";
import { CliError, type Terminal } from "../../command.ts";
import { type Client, runProgram } from "../find-client.ts";
import { backUp, writeSettingsFile } from "../settings-file.ts";
import type { AgentPlace } from "./agent.ts";
import { keepsLines } from "./codex-config.ts";

type Commands = readonly (readonly string[])[];

/** Each takes well under a second. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 4 << 20;

export function listCommands(commands: Commands): readonly string[] {
  return commands.map((words) => `codex plugin ${words.join(" ")}`);
}

/** `undefined` where there is no such file. */
export function readConfig(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readRegularFile(file, MAX_BYTES);
  if (text === undefined) throw new CliError(`${file} is not a file that settings can stand in: nothing was changed`);
  return text;
}

/** Lets Codex change its own file, of which a copy stays: where something goes wrong, or a line of the person's were missing then, it goes back. */
export async function askCodex(
  { program, terminal }: AgentPlace,
  { config, text }: { readonly config: string; readonly text: string | undefined },
  commands: Commands,
): Promise<readonly string[]> {
  if (program === undefined)
    throw new CliError("codex is not found: put it on PATH, or name it with --client PATH, then run this again");
  const backup = backUp(config, terminal.nowMs());
  const fail = (why: string): never => {
    if (readConfig(config) !== text) writeSettingsFile(config, text);
    if (backup !== undefined) rmSync(backup);
    throw new CliError(why);
  };
  for (const words of commands) {
    const failure = await run(program, words, terminal);
    if (failure !== undefined) fail(failure);
  }
  const after = readConfig(config) ?? "";
  if (!keepsLines(text ?? "", after))
    fail(
      `Codex left out lines of your own when it wrote ${config}, so it is as it was: add by hand what --dry-run shows`,
    );
  if (after.trim() === "") rmSync(config, { force: true });
  return backup === undefined ? [] : [`${config} as it was: ${backup}`];
}

async function run(program: Client, words: readonly string[], terminal: Terminal): Promise<string | undefined> {
  const { isDone, output } = await runProgram(program.path, ["plugin", ...words], { terminal, timeoutMs: TIMEOUT_MS });
  if (isDone) return undefined;
  const said = output.split("\n").filter((line) => !/^\s*WARNING: /.test(line));
  const fix = /unrecognized subcommand|unexpected argument/.test(output)
    ? `Codex ${program.version ?? "of this version"} has no plugins: update it (npm install -g @openai/codex)`
    : "mend what it names, then run this again";
  const why = said.join(" ").replace(/\s+/g, " ").trim();
  return `codex plugin ${words.join(" ")} failed, and nothing was changed (${why}): ${fix}`;
}
