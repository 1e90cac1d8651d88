import { mkdirSync } from "node:fs";
import path from "node:path";
import { quietly } from "../../core/quietly.ts";
import { readQuietly } from "../../files/read-regular-file.ts";
import { nameJournal, writeJournal } from "../../files/write-journal.ts";
import { type ActionDetail, type OwnAction, parseAction } from "../../policy/actions/own-action.ts";

export interface Journal {
  note(event: string, detail: ActionDetail): void;
  /** The last actions of one kind, oldest first. */
  last<Kind extends OwnAction["kind"]>(kind: Kind, most: number): readonly Extract<OwnAction, { kind: Kind }>[];
}

const MAX_BYTES = 64 << 20;

export function createJournal(folder: string, client: string, nowMs: () => number): Journal {
  return {
    note(event, detail) {
      // Where that fails, the journal is written elsewhere.
      quietly(() => mkdirSync(folder, { recursive: true, mode: 0o700 }), undefined);
      writeJournal(folder, { door: "module", event, client, actions: [detail] }, nowMs());
    },
    last<Kind extends OwnAction["kind"]>(kind: Kind, most: number) {
      const lines = readQuietly(path.join(folder, nameJournal("module")), MAX_BYTES).split("\n");
      const actions = lines.flatMap((line) => parseAction(line) ?? []);
      const isOfKind = (action: OwnAction): action is Extract<OwnAction, { kind: Kind }> => action.kind === kind;
      return actions.filter(isOfKind).slice(-most);
    },
  };
}
