import { statSync } from "node:fs";
import path from "node:path";
import { listArtifactNames } from "../../files/artifacts/artifact-folder.ts";
import { locateHome } from "../../hosts/catalogue.ts";
import { locateData, locateSession } from "../../policy/actions/data-paths.ts";
import type { OwnAction } from "../../policy/actions/own-action.ts";
import type { Injected } from "../../policy/injection/price-injections.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { listJournals, readActions } from "../../recorded/read-actions.ts";

/** What Plimsoll recorded of live sessions, by session. */
export interface Journals {
  /** Scans the folder again. Returns whether a journal was added or grew. */
  list(): boolean;
  injected(sessionId: string): readonly Injected[];
  actions(sessionId: string): readonly OwnAction[];
  /** Changes whenever the session's journals do; empty if it has none. */
  stamp(sessionId: string): string;
}

export function openJournals({ environment }: Pick<IndexSurroundings, "environment">): Journals {
  const home = locateHome(environment);
  let stamps: ReadonlyMap<string, string> = new Map();
  const known = new Map<string, { readonly stamp: string; readonly injected: readonly Injected[] }>();
  const actions = (sessionId: string): readonly OwnAction[] =>
    stamps.has(sessionId) ? readActions(home, sessionId).actions : [];
  const stampOf = (sessionId: string): string => stamps.get(sessionId) ?? "";
  return {
    list() {
      const before = stamps;
      stamps = stampJournals(home);
      return before.size !== stamps.size || [...stamps].some(([id, stamp]) => before.get(id) !== stamp);
    },
    injected(sessionId) {
      const stamp = stampOf(sessionId);
      const held = known.get(sessionId);
      if (held?.stamp === stamp) return held.injected;
      const injected = actions(sessionId).filter((action) => action.kind === "injected");
      known.set(sessionId, { stamp, injected });
      return injected;
    },
    actions,
    stamp: stampOf,
  };
}

function stampJournals(home: string): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>();
  for (const sessionId of listArtifactNames(path.join(locateData(home), "sessions"))) {
    const folder = locateSession(home, sessionId);
    if (folder === undefined) continue;
    const found = listJournals(folder).flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? []);
    if (found.length > 0) stamps.set(sessionId, found.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(" "));
  }
  return stamps;
}
