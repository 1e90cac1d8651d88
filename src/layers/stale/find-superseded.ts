import type { CallMeaning, KnownCall } from "../history/vocabulary.ts";
import type { Finding, Freshness } from "./finding.ts";

/**
 * Reads whose file was written, edited or read again later. A later read must cover the range; one that only points back
 * supersedes nothing. A file that is still being edited keeps its reads: the next edit must quote them exactly.
 */
export function findSuperseded(calls: readonly KnownCall[], { freshFrom }: Freshness): readonly Finding[] {
  const findings: Finding[] = [];
  const later = new Map<string, Later>();
  for (const known of [...calls].reverse()) {
    const { meaning, result, call, exchange, message } = known;
    if (!result || !call || result.isError || !meaning.path || known.isPointer) continue;
    const file = later.get(meaning.path) ?? { reads: [], writtenBy: "", editedBy: "", lastEdit: -1 };
    later.set(meaning.path, file);
    if (meaning.kind === "read") {
      const why = exchange < freshFrom ? explain(meaning, file, freshFrom) : undefined;
      if (why !== undefined) findings.push({ block: result.id, message, why });
      // One read that covers all ranges covers what any other would.
      if (!file.reads.some((range) => covers(range, meaning.range))) file.reads.push(meaning.range);
    }
    if (meaning.kind === "write") file.writtenBy ||= call.tool;
    if (meaning.kind === "edit") {
      file.editedBy ||= call.tool;
      file.lastEdit = Math.max(file.lastEdit, exchange);
    }
  }
  return findings.reverse();
}

/** What happened to a file after the point the walk has reached. */
interface Later {
  readonly reads: CallMeaning["range"][];
  writtenBy: string;
  editedBy: string;
  lastEdit: number;
}

function explain(meaning: CallMeaning, file: Later, freshFrom: number): string | undefined {
  if (file.reads.some((range) => covers(range, meaning.range))) return "read again since";
  if (file.writtenBy !== "") return `overwritten since by ${file.writtenBy}`;
  return file.editedBy !== "" && file.lastEdit < freshFrom ? `changed since by ${file.editedBy}` : undefined;
}

/** Whole files have no range. */
function covers(outer: CallMeaning["range"], inner: CallMeaning["range"]): boolean {
  if (!outer) return true;
  return inner !== undefined && outer.first <= inner.first && outer.last >= inner.last;
}
