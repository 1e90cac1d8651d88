import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { CliError, EXIT_FAILURE, type Terminal } from "../command.ts";

/** Only an explicit yes counts. */
export async function confirm(question: string, terminal: Terminal, input: Readable = process.stdin): Promise<boolean> {
  terminal.remark(`${question} [y/N] `);
  const lines = createInterface({ input });
  try {
    for await (const line of lines) return /^y(?:es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}

export function canAsk(terminal: Terminal): boolean {
  return terminal.isInteractive && process.stdin.isTTY === true;
}

export function unconfirmed(task: "install" | "uninstall" | "change these lines"): CliError {
  return new CliError(`nothing was changed: run this command again with --yes to ${task}`, EXIT_FAILURE);
}

/** Shows a plan and asks whether to carry it out; a script cannot agree. */
export async function isWanted(
  plan: string,
  question: string,
  { flags, terminal }: { readonly flags: ReadonlySet<string>; readonly terminal: Terminal },
): Promise<boolean> {
  if (flags.has("json") || !canAsk(terminal)) return false;
  terminal.remark(`${plan}\n\n`);
  return confirm(question, terminal);
}
