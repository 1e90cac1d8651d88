import type { Environment } from "../../../hosts/host.ts";
import type { Terminal } from "../command.ts";

/** Colours and moving lines are used only if a person is looking. */
export function createTerminal(): Terminal {
  const { env, stdout, stderr } = process;
  const hasUnicode = decideUnicode(env);
  return {
    environment: env,
    directory: process.cwd(),
    // A terminal that was never given its size reports 0.
    columns: stdout.columns || readColumns(env.COLUMNS),
    hasColour: decideColour(env, stdout.isTTY === true),
    isInteractive: stderr.isTTY === true,
    isTerminal: stdout.isTTY === true,
    print: (text) => {
      stdout.write(`${hasUnicode ? text : toAscii(text)}\n`);
    },
    write: (bytes) => {
      stdout.write(bytes);
    },
    remark: (text) => {
      stderr.write(hasUnicode ? text : toAscii(text));
    },
    nowMs: () => Date.now(),
  };
}

/** A width may be requested even if the output is not a terminal. */
function readColumns(given: string | undefined): number {
  return /^[1-9]\d*$/.test(given ?? "") ? Number(given) : 80;
}

/** https://no-color.org, and `FORCE_COLOR` for pipes into pagers. */
export function decideColour(environment: Environment, isTerminal: boolean): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== "0";
  return isTerminal && environment.TERM !== "dumb";
}

/** A terminal in the C locale shows question marks for non-ASCII characters. */
export function decideUnicode(environment: Environment): boolean {
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || "";
  return locale === "" ? true : /utf-?8/i.test(locale) || !/^(?:C|POSIX)(?:$|\.)/.test(locale);
}

const ASCII: Readonly<Record<string, string>> = {
  "·": "-",
  "≈": "~",
  "█": "#",
  "░": ".",
  "┃": "|",
  "▲": "^",
  "…": "...",
  "→": "->",
  "×": "x",
  "—": "-",
  "═": "=",
  "•": "*",
  "▸": ">",
  "📋": "-",
  "📝": "-",
  "🧪": "-",
  "🧠": "-",
  "⚠": "!",
  "\uFE0F": "",
  "📦": "-",
  "📁": "-",
  "🎯": "-",
};

export function toAscii(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII is what is meant
  return text.replace(/[^\u0000-\u007f]/gu, (character) => ASCII[character] ?? "?");
}
