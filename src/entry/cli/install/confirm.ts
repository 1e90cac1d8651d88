import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { CliError, type Terminal } from "../command.ts";

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

export function canAsk(terminal: Terminal, input: Asked = process.stdin): boolean {
  return terminal.isInteractive && input.isTTY === true;
}

type Asked = Readable & { readonly isTTY?: boolean };

/** Shows a plan and asks whether to carry it out, unless --yes says so; a script cannot agree. */
export async function askFirst(
  plan: () => string,
  question: string,
  { flags, terminal }: { readonly flags: ReadonlySet<string>; readonly terminal: Terminal },
  input: Asked = process.stdin,
): Promise<"agreed" | "planned" | "unconfirmed"> {
  if (flags.has("dry-run")) return "planned";
  if (flags.has("yes")) return "agreed";
  if (flags.has("json") || !canAsk(terminal, input)) return "unconfirmed";
  terminal.remark(`${plan()}\n\n`);
  if (await confirm(question, terminal, input)) return "agreed";
  // The plan is on the screen already.
  throw CliError.failed("nothing was changed");
}

/** How a command ends that was not allowed to do its work. */
export function refuseUnconfirmed(status: string, task: string): CliError | undefined {
  if (status !== "unconfirmed") return undefined;
  return CliError.failed(`nothing was changed: run this command again with --yes to ${task}`);
}
