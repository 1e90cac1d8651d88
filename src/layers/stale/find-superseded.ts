import type { Block, ToolCallBlock, ToolResultBlock } from "../../core/message.ts";
import type { KnownCall } from "../history/list-calls.ts";
import type { CallMeaning } from "../history/vocabulary.ts";

/**
 * Reads whose file was later written, edited or read again. A later read must cover the range; one that only points back does not count. A
 * file that is still being edited keeps its reads: the next edit must quote them exactly.
 */
export function findSuperseded(calls: readonly KnownCall[], freshFrom: number): readonly StaleFinding[] {
  const findings: StaleFinding[] = [];
  const later = new Map<string, Later>();
  for (const known of [...calls].reverse()) {
    const { meaning, result, call, exchange } = known;
    if (!result || !call || result.isError || !meaning.path || known.isPointer) continue;
    const file: Later = later.get(meaning.path) ?? { reads: [], lastEdit: -1 };
    later.set(meaning.path, file);
    if (meaning.kind === "read") {
      const reason = exchange < freshFrom ? explain(meaning, file, freshFrom) : undefined;
      if (reason !== undefined) findings.push({ block: result.id, ...reason });
      file.reads.push({ range: meaning.range, call, result });
    }
    if (meaning.kind === "write") file.written ??= { call, result };
    if (meaning.kind === "edit") {
      file.edited ??= { call, result };
      file.lastEdit = Math.max(file.lastEdit, exchange);
    }
  }
  return findings;
}

interface Later {
  readonly reads: (CallWithResult & Pick<CallMeaning, "range">)[];
  written?: CallWithResult;
  edited?: CallWithResult;
  lastEdit: number;
}

interface CallWithResult {
  readonly call: ToolCallBlock;
  readonly result: ToolResultBlock;
}

function explain(meaning: CallMeaning, { reads, written, edited, lastEdit }: Later, freshFrom: number) {
  const read = reads.find(({ range }) => covers(range, meaning.range));
  if (read) return giveReason("read again since", read);
  if (written) return giveReason(`overwritten since by ${written.call.tool}`, written);
  return edited && lastEdit < freshFrom ? giveReason(`changed since by ${edited.call.tool}`, edited) : undefined;
}

function giveReason(why: string, { call, result }: CallWithResult): Pick<StaleFinding, "why" | "because"> {
  return { why, because: [call, result] };
}

/** No range means the whole file. */
function covers(outer: CallMeaning["range"], inner: CallMeaning["range"]): boolean {
  if (!outer) return true;
  return inner !== undefined && outer.first <= inner.first && outer.last >= inner.last;
}

export interface StaleFinding {
  /** The result's id. */
  readonly block: string;
  /** Completes "cleared because": `src/a.ts was read again`. */
  readonly why: string;
  /** The later blocks that the reason refers to; if the conversation took another course, the reason no longer holds. */
  readonly because: readonly Block[];
}
