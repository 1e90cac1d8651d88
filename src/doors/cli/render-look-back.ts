import type { LimitState } from "../../measure/describe-limits.ts";
import { tellLimits } from "../person/tell-limits.ts";
import { tellLookBack } from "../person/tell-look-back.ts";
import type { CollectedLookBack } from "./collect-look-back.ts";
import type { Terminal } from "./command.ts";
import { wrapText } from "./help.ts";
import { paint } from "./style.ts";

/** What the last days came to, each number with the command that shows what is behind it. */
export function renderLookBack(collected: CollectedLookBack, terminal: Terminal): readonly string[] {
  const told = tellLookBack(collected, collected.replay);
  if (!told) return [];
  const see = (command: string): string => paint(terminal, "dim", `      ${command}`);
  return [
    paint(terminal, "bold", told.total.text),
    see(told.total.command),
    ...told.parts.flatMap(({ text, command }) => [`  ${text}`, see(command)]),
    ...told.notes
      .flatMap((line) => wrapText(`  ${line}`, terminal.columns, "  "))
      .map((line) => paint(terminal, "dim", line)),
  ];
}

export function renderLimits(limits: readonly LimitState[], nowMs: number): readonly string[] {
  return tellLimits(limits, nowMs).map(({ name, text }) => `  ${name}: ${text}`);
}
