import path from "node:path";
import { isObject } from "../../../core/json.ts";
import { errorCode } from "../../../core/render-failure.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { withLock } from "../../../files/with-lock.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import type { Fact } from "../../../survive/receipt/fact.ts";
import { listFacts } from "../../../survive/receipt/list-facts.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import type { Instrument } from "../../../survive/restore/name-dropped.ts";
import {
  initialRestoreState,
  isRestoring,
  type RestoreReceipt,
  type RestoreState,
  stepRestore,
} from "../../../survive/restore/step-restore.ts";
import type { HookContext } from "../hook.ts";
import type { SessionData } from "../session-data.ts";

/** A file of another layout is ignored. */
const FORMAT = 2;

/** Content of `pending.json`: the restore, and where in the transcript its effects are to be looked for. */
export interface RestoreFile {
  readonly format: typeof FORMAT;
  readonly restore: RestoreState;
  /** Size of the transcript when the compaction was asked for; its effects come after. */
  readonly askedSize: number;
  /** Instruction files and skills that were in the window. */
  readonly instruments: readonly Instrument[];
  /** Whether they and the folded outputs were compared with the window after the compaction. */
  readonly isCompared: boolean;
}

export function readRestoreFile(folder: string): RestoreFile {
  const saved: unknown = readObject(path.join(folder, SESSION_FILES.pending));
  if (isRestoreFile(saved)) return saved;
  return { format: FORMAT, restore: initialRestoreState, askedSize: 0, instruments: [], isCompared: true };
}

/** A compaction that has not happened by then has failed, and tool calls stop looking for it. */
const MAX_WAIT_MS = 10 * 60_000;

/** Whether an event has anything to do here: asked at every tool call, so it reads one small file and no transcript. */
export function isPending({ restore, isCompared }: RestoreFile, nowMs: number): boolean {
  const isOpen = isRestoring(restore) || !isCompared;
  const hasEnded = restore.stage === "done" || restore.stage === "settled";
  return isOpen && (hasEnded || nowMs - restore.askedAtMs < MAX_WAIT_MS);
}

export interface FileStep<Value> {
  readonly file: RestoreFile;
  readonly value: Value;
}

/** Reads, decides and writes under a lock, since tools run in parallel and two of them would inject the same twice. `undefined` without the lock. */
export function followRestore<Value>(
  folder: string,
  follow: (file: RestoreFile) => FileStep<Value>,
): Value | undefined {
  const lock = path.join(folder, "pending.lock");
  try {
    return withLock(
      lock,
      () => {
        const before = readRestoreFile(folder);
        const { file, value } = follow(before);
        if (file !== before) writeAtomically(path.join(folder, SESSION_FILES.pending), JSON.stringify(file));
        return value;
      },
      { waitMs: 300 },
    );
  } catch (error) {
    if (errorCode(error) === "locked") return undefined;
    throw error;
  }
}

/** Our own file in a private folder. */
function isRestoreFile(value: unknown): value is RestoreFile {
  return (
    isObject(value) &&
    value.format === FORMAT &&
    isObject(value.restore) &&
    Array.isArray(value.restore.lost) &&
    typeof value.askedSize === "number" &&
    Array.isArray(value.instruments)
  );
}

export function isCompacting(folder: string): boolean {
  const { stage } = readRestoreFile(folder).restore;
  return stage === "asked" || stage === "told";
}

/** Compares a summary with the state before it. `open` is called only if the beginning of the compaction was not noticed. */
export function followSummary(
  { summary, isOver }: { readonly summary: string; readonly isOver: boolean },
  context: HookContext,
  open: () => SessionData | undefined,
): RestoreReceipt | undefined {
  const { folder } = context;
  if (folder === undefined) return undefined;
  return followRestore(folder, (before) => {
    const isAsked = before.restore.stage === "asked" || before.restore.stage === "told";
    const data = isAsked ? undefined : open();
    const happened = data?.happened();
    const { state, receipt } = stepRestore(before.restore, {
      kind: "summarised",
      summary,
      isOver,
      atMs: context.nowMs(),
      request: happened?.state.requests.count ?? 0,
      facts: happened ? collectFacts(happened, context) : [],
    });
    const askedSize = data?.transcriptSize ?? before.askedSize;
    return { file: state === before.restore ? before : { ...before, restore: state, askedSize }, value: receipt };
  });
}

/** The client writes these before whatever a hook adds, our own injections included. */
const HOST_WORDS: readonly string[] =
  `PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart PreCompact`.split(/\s+/);

/** The facts worth putting back. A name that is part of the project's own path is not. */
export function collectFacts(happened: Happened, { project }: Pick<HookContext, "project">): readonly Fact[] {
  return listFacts(happened, { root: project }).filter(
    (fact) => fact.kind !== "identifier" || !(project.includes(fact.term) || HOST_WORDS.includes(fact.term)),
  );
}
