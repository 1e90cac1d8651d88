import { locateArtifacts, locateDataArtifacts } from "../../files/artifact-folder.ts";
import { type ArtifactToKeep, keepArtifact } from "../../files/keep-artifact.ts";
import { openOriginals } from "../../files/originals.ts";
import { readStored } from "../../files/read-stored.ts";
import type { Stored } from "../../survive/recall/recall.ts";

/** Where what leaves a conversation is kept: in the project, or in Plimsoll's own data where the project cannot be written. */
export interface Shelf {
  /** `undefined` where it could be kept nowhere: then it must not leave. */
  keep(
    original: ArtifactToKeep,
  ): { readonly handle: string; readonly sha256: string; readonly path: string } | undefined;
  /** By the digits that a handle shows. */
  read(digits: string): Stored | undefined;
  handles(): readonly string[];
}

export interface ShelfPlace {
  readonly project: string;
  readonly dataFolder: string;
  readonly sessionId: string;
  readonly nowMs: () => number;
}

export function createShelf({ project, dataFolder, sessionId, nowMs }: ShelfPlace): Shelf {
  const folders = [locateArtifacts(project, dataFolder), locateDataArtifacts(dataFolder)];
  const originals = openOriginals({ project, dataFolder, sessionIds: () => [sessionId] });
  return {
    keep(original) {
      for (const folder of folders) {
        const kept = keepArtifact(folder, { sessionId, ...original }, nowMs());
        if (kept.ok) return kept.value;
      }
      return undefined;
    },
    read: (digits) => readStored(originals, digits),
    handles: originals.handles,
  };
}
