import { mkdirSync } from "node:fs";
import path from "node:path";
import { readQuietly } from "../../files/read-regular-file.ts";
import { nameJournal, writeJournal } from "../../files/write-journal.ts";
import { type Deed, type DeedDetail, parseDeed } from "../../policy/deeds/deed.ts";

export interface Journal {
  note(event: string, detail: DeedDetail): void;
  /** The last actions of one kind, oldest first. */
  last<Kind extends Deed["kind"]>(kind: Kind, most: number): readonly Extract<Deed, { kind: Kind }>[];
}

const MAX_BYTES = 64 << 20;

export function createJournal(folder: string, client: string, nowMs: () => number): Journal {
  return {
    note(event, detail) {
      openFolder(folder);
      writeJournal(folder, { door: "module", event, client, deeds: [detail] }, nowMs());
    },
    last(kind, most) {
      const lines = readQuietly(path.join(folder, nameJournal("module")), MAX_BYTES).split("\n");
      const deeds = lines.flatMap((line) => parseDeed(line) ?? []);
      return deeds.filter((deed) => isKind(deed, kind)).slice(-most);
    },
  };
}

/** Where that fails, the journal is written elsewhere. */
function openFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // Read-only or full.
  }
}

function isKind<Kind extends Deed["kind"]>(deed: Deed, kind: Kind): deed is Extract<Deed, { kind: Kind }> {
  return deed.kind === kind;
}
