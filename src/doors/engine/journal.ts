import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { type Deed, type DeedDetail, parseDeed, renderDeed } from "../../policy/deeds/deed.ts";
import type { ClientPort } from "./client-port.ts";

export interface Journal {
  note(event: string, detail: DeedDetail): void;
  /** The last actions of one kind, oldest first. */
  last<Kind extends Deed["kind"]>(kind: Kind, most: number): readonly Extract<Deed, { kind: Kind }>[];
  /** Writes what is new. The engine cannot append, so the whole journal is written; it is short. */
  flush(): Promise<void>;
}

/** A longer journal keeps its last entries. */
const MAX_DEEDS = 5000;

export function createJournal($: ClientPort, folder: string, client: string, earlier: readonly string[]): Journal {
  const lines = [...earlier];
  let isDirty = false;
  let writing: Promise<void> = Promise.resolve();
  return {
    note(event, detail) {
      const deed: Deed = { atMs: Date.now(), door: "module", event, client, ...detail };
      lines.push(renderDeed(deed));
      if (lines.length > MAX_DEEDS) lines.shift();
      isDirty = true;
    },
    last(kind, most) {
      const found: Extract<Deed, { kind: typeof kind }>[] = [];
      for (let index = lines.length - 1; index >= 0 && found.length < most; index--) {
        const deed = parseDeed(lines[index] ?? "");
        if (deed !== undefined && isKind(deed, kind)) found.unshift(deed);
      }
      return found;
    },
    flush() {
      if (!isDirty) return writing;
      isDirty = false;
      const text = lines.join("");
      // In sequence: two writes of one file at once could end in either order.
      writing = writing.then(() => $.fs.write(`${folder}/${SESSION_FILES.moduleDeeds}`, text)).catch(() => undefined);
      return writing;
    },
  };
}

function isKind<Kind extends Deed["kind"]>(deed: Deed, kind: Kind): deed is Extract<Deed, { kind: Kind }> {
  return deed.kind === kind;
}
