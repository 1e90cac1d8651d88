import {
  addItems,
  type GatewayStore,
  type KnownLedger,
  noLedger,
  type SessionFacts,
} from "../../../src/entry/gateway/store/gateway-store.ts";
import { nameHandle } from "../../../src/fold/marker.ts";
import type { Original } from "../../../src/layers/history/originals.ts";

/** A store that ends with the process: for who wants to know what the gateway would do, and to keep nothing. */
export function createMemoryStore(onOriginals: (originals: readonly Original[]) => void): GatewayStore {
  const ledgers = new Map<string, KnownLedger>();
  const facts = new Map<string, SessionFacts>();
  const texts = new Map<string, string>();
  const readLedger = async (session: string): Promise<KnownLedger> => ledgers.get(session) ?? noLedger;
  return {
    readLedger,
    holdLedger: async (session) => ({ ledger: await readLedger(session), isHeld: true, release: () => undefined }),
    async appendDecisions(session, items, known) {
      const before = ledgers.get(session) ?? noLedger;
      if (before.version !== known.version) return undefined;
      const next = addItems(before, items, before.version + 1);
      ledgers.set(session, next);
      return next;
    },
    async keepOriginals(originals) {
      for (const { handle, text } of originals) texts.set(handle, text);
      onOriginals(originals);
    },
    readOriginal: async (name) => texts.get(nameHandle(name.replace(/^plimsoll:/, ""))),
    readFacts: async (session) => facts.get(session),
    saveFacts: (session, known) => void facts.set(session, known),
    note: () => undefined,
    lost: () => 0,
    check: async () => undefined,
    close: async () => undefined,
  };
}
