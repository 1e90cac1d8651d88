import type { GatewayStore } from "./store/gateway-store.ts";

/** The same store; `count` hears of every operation that failed, by its name. Who waits for it decides what that means. */
export function watchStore(store: GatewayStore, count: (operation: string) => void): GatewayStore {
  const watch = async <Value>(operation: string, doing: () => Promise<Value>): Promise<Value> => {
    try {
      return await doing();
    } catch (error) {
      count(operation);
      throw error;
    }
  };
  const { shareUse } = store;
  return {
    ...store,
    ...(shareUse && { shareUse: (asks) => watch("share_use", () => shareUse(asks)) }),
    readLedger: (session, known) => watch("read_ledger", () => store.readLedger(session, known)),
    holdLedger: (session, known) => watch("hold_ledger", () => store.holdLedger(session, known)),
    appendDecisions: (session, decisions, known) =>
      watch("append_decisions", () => store.appendDecisions(session, decisions, known)),
    keepOriginals: (originals) => watch("keep_originals", () => store.keepOriginals(originals)),
    readOriginal: (handle) => watch("read_original", () => store.readOriginal(handle)),
    readFacts: (session) => watch("read_facts", () => store.readFacts(session)),
    check: () => watch("check", () => store.check()),
  };
}
