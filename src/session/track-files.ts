import { sha256 } from "../core/sha256.ts";
import { addCounts, type ChangeAction, countChanged, type LineCounts, type LineRange } from "./action.ts";
import { isCommitted } from "./episodes/track-episodes.ts";
import { baseName, isAbsolute, normalizePath } from "./file-path.ts";
import type { HappeningOf, Tracker } from "./happening.ts";

/** A file the session has touched: the artifact index. */
export interface FileRecord {
  /** In one spelling, whatever the calls used; absolute as soon as one call was. */
  readonly path: string;
  readonly isCreated: boolean;
  readonly edits: number;
  readonly reads: number;
  /** SHA-256 of the last known content, to tell whether the file on disk still has it; empty if never seen whole. */
  readonly contentHash: string;
  /** The lines last read, if not the whole file. */
  readonly lastRange: LineRange | undefined;
  readonly firstRequest: number;
  readonly lastRequest: number;
  /** When it was last changed; 0 for a file that was only read. */
  readonly changedRequest: number;
  /** What this session's edits changed since its last commit; absent if nothing. */
  readonly uncommitted?: LineCounts | undefined;
}

const MAX_FILES = 3000;
/** Contents are hashed only when the state is asked for: of ten edits of a file only the last one counts. */
const MAX_WAITING_CHARACTERS = 4_000_000;

/** Every file successfully read, written or edited, in order of last touch, newest last. */
export function createFileTracker(saved: readonly FileRecord[] = []): Tracker<readonly FileRecord[]> {
  const files = new Map<string, FileRecord>(saved.map((file) => [file.path, file]));
  const byName = new Map<string, Set<string>>();
  const waiting = new Map<string, string>();
  let waitingCharacters = 0;

  const remember = (path: string): void => {
    const known = byName.get(baseName(path));
    if (known) known.add(path);
    else byName.set(baseName(path), new Set([path]));
  };
  for (const { path } of saved) remember(path);

  const forget = (path: string): void => {
    files.delete(path);
    waiting.delete(path);
    byName.get(baseName(path))?.delete(path);
  };

  /** A relative path and an absolute one that ends in it are the same file. */
  const find = (path: string): FileRecord | undefined => {
    const known = files.get(path);
    if (known) return known;
    const twins = [...(byName.get(baseName(path)) ?? [])].filter((other) => isSameFile(path, other));
    return twins.length === 1 && twins[0] !== undefined ? files.get(twins[0]) : undefined;
  };

  const put = (known: FileRecord, next: FileRecord, content: string | undefined): void => {
    forget(known.path);
    files.set(next.path, next);
    remember(next.path);
    if (content !== undefined) {
      waiting.set(next.path, content);
      waitingCharacters += content.length;
    }
    if (waitingCharacters > MAX_WAITING_CHARACTERS) settle();
    const [oldest] = files.keys();
    if (files.size > MAX_FILES && oldest !== undefined) forget(oldest);
  };

  const settle = (): void => {
    for (const [path, content] of waiting) {
      const known = files.get(path);
      if (known) files.set(path, { ...known, contentHash: sha256(content) });
    }
    waiting.clear();
    waitingCharacters = 0;
  };

  const followOutcome = ({ action, outcome, request }: HappeningOf<"outcome">): void => {
    if (outcome.isError || outcome.isRefused) return;
    if (action.kind === "run" && isCommitted(action.command, outcome))
      for (const [path, { uncommitted, ...file }] of files) if (uncommitted) files.set(path, file);
    if ((action.kind !== "read" && action.kind !== "write" && action.kind !== "edit") || action.path === "") return;
    const path = normalizePath(action.path);
    const known = find(path) ?? emptyRecord(path, request);
    const next = { ...known, path: isAbsolute(known.path) ? known.path : path, lastRequest: request };
    if (action.kind === "read") {
      const content = outcome.content ?? waiting.get(known.path);
      put(known, { ...next, reads: known.reads + 1, lastRange: outcome.range ?? action.range }, content);
      return;
    }
    const isUnseen = action.kind === "write" && known.reads === 0 && known.edits === 0;
    const isCreated = known.isCreated || (outcome.isCreated ?? isUnseen);
    // A change that does not report the new content makes it unknown.
    const changed = {
      ...next,
      edits: known.edits + 1,
      changedRequest: request,
      contentHash: "",
      isCreated,
      uncommitted: addCounts(known.uncommitted ?? NO_LINES, outcome.lines ?? countLines(action)),
    };
    put(known, changed, action.kind === "write" ? action.text : outcome.content);
  };

  return {
    follow(happening) {
      if (happening.kind === "outcome") followOutcome(happening);
    },
    state: () => {
      settle();
      return [...files.values()];
    },
  };
}

const NO_LINES: LineCounts = { added: 0, removed: 0 };

/** All lines of a written file count as new: the call does not show what it replaces. */
function countLines(action: ChangeAction): LineCounts {
  return action.kind === "edit" ? (action.lines ?? NO_LINES) : countChanged("", action.text);
}

function isSameFile(one: string, other: string): boolean {
  if (isAbsolute(one) === isAbsolute(other)) return false;
  return isAbsolute(one) ? one.endsWith(`/${other}`) : other.endsWith(`/${one}`);
}

function emptyRecord(path: string, request: number): FileRecord {
  return {
    path,
    isCreated: false,
    edits: 0,
    reads: 0,
    contentHash: "",
    lastRange: undefined,
    firstRequest: request,
    lastRequest: request,
    changedRequest: 0,
  };
}
