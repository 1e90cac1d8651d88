import { statSync } from "node:fs";
import path from "node:path";
import { isObject } from "../../core/json.ts";
import { listArtifactNames } from "../../files/artifacts/artifact-folder.ts";
import type { FoundFile } from "../../files/list-files.ts";
import { locateHome } from "../../hosts/catalogue.ts";
import { locateData, locateSession } from "../../policy/deeds/data-paths.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import type { Injected } from "../../policy/injection/price-injections.ts";
import { type IndexKind, type IndexSurroundings, openFileIndex } from "../../recorded/file-index.ts";
import { listJournals, type ReadDeeds, readDeeds } from "../../recorded/read-deeds.ts";

/** What Plimsoll recorded of live sessions, by session. */
export interface Journals {
  /** Scans the folder again. Returns whether a journal was added or grew. */
  list(): boolean;
  look(sessionId: string): JournalLook;
  deeds(sessionId: string): readonly Deed[];
  /** Changes whenever the session's journals do; empty if it has none. */
  stamp(sessionId: string): string;
  save(): void;
}

const JOURNALS: IndexKind<JournalLook> = {
  name: "dashboard-journals.json",
  format: 2,
  fields: { entries: "journals", value: "look" },
  isValue: isJournalLook,
};

export function openJournals(surroundings: IndexSurroundings): Journals {
  const home = locateHome(surroundings.environment);
  const index = openFileIndex(JOURNALS, surroundings);
  let sizes: ReadonlyMap<string, FoundFile> = new Map();
  const fresh = new Map<string, { readonly size: FoundFile; readonly look: JournalLook }>();
  return {
    list() {
      const before = sizes;
      sizes = measureJournals(home);
      return before.size !== sizes.size || [...sizes].some(([id, size]) => !isSame(before.get(id), size));
    },
    look(sessionId) {
      const size = sizes.get(sessionId);
      if (!size) return emptyJournalLook;
      const held = fresh.get(sessionId);
      if (held && isSame(held.size, size)) return held.look;
      const known = index.find(size);
      const look = known ?? lookAtJournal(readDeeds(home, sessionId));
      fresh.set(sessionId, { size, look });
      if (!known) index.put(size, look);
      return look;
    },
    deeds: (sessionId) => (sizes.has(sessionId) ? readDeeds(home, sessionId).deeds : []),
    stamp(sessionId) {
      const size = sizes.get(sessionId);
      return size ? `${size.bytes} ${size.modifiedMs}` : "";
    },
    save: () => index.save(),
  };
}

function isSame(left: FoundFile | undefined, right: FoundFile): boolean {
  return left?.bytes === right.bytes && left.modifiedMs === right.modifiedMs;
}

function measureJournals(home: string): ReadonlyMap<string, FoundFile> {
  const sizes = new Map<string, FoundFile>();
  for (const sessionId of listArtifactNames(path.join(locateData(home), "sessions"))) {
    const folder = locateSession(home, sessionId);
    if (folder === undefined) continue;
    const found = listJournals(folder).flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? []);
    if (found.length === 0) continue;
    sizes.set(sessionId, {
      path: folder,
      bytes: found.reduce((sum, { size }) => sum + size, 0),
      modifiedMs: Math.max(...found.map(({ mtimeMs }) => mtimeMs)),
    });
  }
  return sizes;
}

export interface JournalLook {
  readonly injected: readonly Injected[];
}

export const emptyJournalLook: JournalLook = { injected: [] };

function lookAtJournal({ deeds }: ReadDeeds): JournalLook {
  const injected = deeds.filter((deed) => deed.kind === "injected");
  return {
    injected: injected.map(({ what, atMs, characters, tokens, model }) => ({ what, atMs, characters, tokens, model })),
  };
}

function isJournalLook(value: unknown): value is JournalLook {
  return isObject(value) && Array.isArray(value.injected);
}
