import type { Terminal } from "../../src/entry/cli/command.ts";
import { runCli } from "../../src/entry/cli/run-cli.ts";

/** A terminal that remembers what it was shown, in a world of its own: no home, no settings, no real clock. */
export interface FakeTerminal extends Terminal {
  /** Everything printed so far, line feeds included. */
  output(): string;
  /** Everything that went next to the output. */
  remarks(): string;
}

export type TerminalOptions = Partial<Omit<Terminal, "print" | "write" | "remark">>;

export function createFakeTerminal(options: TerminalOptions = {}): FakeTerminal {
  let output = "";
  let remarks = "";
  return {
    environment: { HOME: "/home/nobody" },
    directory: "/home/nobody/project",
    columns: 80,
    hasColour: false,
    isInteractive: false,
    isTerminal: false,
    nowMs: () => 0,
    ...options,
    print: (text) => {
      output += `${text}\n`;
    },
    write: (bytes) => {
      output += Buffer.from(bytes).toString("utf8");
    },
    remark: (text) => {
      remarks += text;
    },
    output: () => output,
    remarks: () => remarks,
  };
}

/** A clock that goes on by so much every time someone looks at it. */
export function createTickingClock(tickMs: number): () => number {
  let nowMs = 0;
  return () => {
    nowMs += tickMs;
    return nowMs;
  };
}

export interface CliRun {
  readonly exitCode: number;
  readonly output: string;
  readonly remarks: string;
}

/** One command line from its words to its exit code. */
export async function runPlimsoll(words: readonly string[], options: TerminalOptions = {}): Promise<CliRun> {
  const terminal = createFakeTerminal(options);
  const exitCode = await runCli(words, terminal, "1.2.3");
  return { exitCode, output: terminal.output(), remarks: terminal.remarks() };
}
