import type { NamesPolicy } from "./kind.ts";
import { rankNames } from "./rank-names.ts";
import { redactSecrets } from "./redact-secrets.ts";
import type { Sheet } from "./sheet.ts";

export interface NamesWanted {
  readonly names: NamesPolicy;
  /** What the reader sees already. */
  readonly shown: string;
  readonly room: number;
}

const LEAST_ROOM = 40;
/** Of names that differ in their digits only, these many say it all. */
const MAX_RELATIVES = 3;
const LABEL = "also names: ";

/**
 * The names in a text that its preview does not show yet, the most frequent first, as many as fit: an index of what can be
 * asked for. Measured over recorded sessions, what the next calls mention are names far more often than lines.
 */
export function renderNamesIndex(sheet: Sheet, { names, shown, room }: NamesWanted): string {
  if (room < LEAST_ROOM || names === "none") return "";
  const chosen: string[] = [];
  const relatives = new Map<string, number>();
  const isSecret = createSecretCheck(sheet.lines);
  let left = room - LABEL.length;
  for (const { name, line } of rankNames(sheet.lines, names === "pathsAndWords")) {
    if (left < 8) break;
    if (name.length + 1 > left || shown.includes(name) || isSecret(name, line)) continue;
    const family = name.replace(/\d{1,40}/g, "#");
    const known = relatives.get(family) ?? 0;
    if (known >= MAX_RELATIVES) continue;
    relatives.set(family, known + 1);
    chosen.push(name);
    left -= name.length + 1;
  }
  return chosen.length === 0 ? "" : LABEL + chosen.join(" ");
}

/** A piece of a credential looks like a name; its line tells. Each line is looked at once. */
function createSecretCheck(lines: readonly string[]): (name: string, line: number) => boolean {
  const safe = new Map<number, string>();
  return (name, line) => {
    const known = safe.get(line) ?? redactSecrets(lines[line] ?? "");
    safe.set(line, known);
    return !known.includes(name);
  };
}
