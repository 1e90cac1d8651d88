import { errorCode } from "../../../core/render-failure.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import type { Original } from "../../../layers/history/originals.ts";
import { findByDigits } from "../../../survive/recall/recall.ts";
import { addItems, type GatewayStore, type KnownLedger, type LedgerItem } from "./gateway-store.ts";

/** What a full disk refused of one conversation. */
interface Unwritten {
  readonly items: readonly LedgerItem[];
  /** What the store has of it, and the same with `items`. */
  readonly stored: KnownLedger;
  readonly shown: KnownLedger;
}

/** Of a folder. A full database serves several instances, and each would decide for itself what the others do not know. */
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
/** Beyond this, new results are sent whole, as with a store that fails for another reason. */
const MAX_UNWRITTEN_CHARACTERS = 64 * 1024 * 1024;
const AGAIN_MS = 1_000;

/**
 * The same store, which keeps in memory what a full disk refuses, and writes it when there is room. A result that was sent whole instead would
 * make the conversation grow, and a rewrite of its prefix due that a healthy disk never sees. The client still has everything: if the process
 * ends before there is room, the next one sends it whole. `check` rejects for as long as something is unwritten.
 */
export function keepWhileFull(store: GatewayStore): GatewayStore {
  const originals = new Map<string, Original>();
  const unwritten = new Map<string, Unwritten>();
  const storedOf = new WeakMap<KnownLedger, KnownLedger>();
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;

  const toStored = (known: KnownLedger | undefined): KnownLedger | undefined => known && (storedOf.get(known) ?? known);
  const show = (session: string, stored: KnownLedger, items: readonly LedgerItem[]): KnownLedger => {
    const shown = addItems(stored, items, stored.version);
    storedOf.set(shown, stored);
    unwritten.set(session, { items, stored, shown });
    later();
    return shown;
  };
  const complete = (session: string, stored: KnownLedger): KnownLedger => {
    const kept = unwritten.get(session);
    if (!kept) return stored;
    return kept.stored === stored ? kept.shown : show(session, stored, kept.items);
  };

  const writeOriginals = async (): Promise<void> => {
    for (const [hash, original] of originals) {
      await store.keepOriginals([original]);
      if (originals.delete(hash)) characters -= original.text.length;
    }
  };
  const writeAll = async (): Promise<void> => {
    await writeOriginals();
    for (const [session, { items, stored }] of unwritten) {
      // Another instance may have decided since; edits are bound to what they replace, so both may stand.
      const current = await store.readLedger(session, stored);
      const isWritten = await store.appendDecisions(session, items, current);
      if (isWritten && unwritten.get(session)?.items === items) unwritten.delete(session);
    }
  };
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      writeAll()
        .catch(() => undefined)
        .finally(() => (originals.size + unwritten.size > 0 ? later() : undefined));
    }, AGAIN_MS).unref();
  };

  return {
    ...store,
    readLedger: async (session, known) => complete(session, await store.readLedger(session, toStored(known))),
    async holdLedger(session, known) {
      const held = await store.holdLedger(session, toStored(known));
      return { ...held, ledger: complete(session, held.ledger) };
    },
    async appendDecisions(session, items, known) {
      const kept = unwritten.get(session);
      if (kept && kept.shown !== known) return undefined;
      const stored = toStored(known) ?? known;
      const all = kept ? [...kept.items, ...items] : items;
      try {
        // A line that names originals follows them.
        await writeOriginals();
        const written = await store.appendDecisions(session, all, stored);
        if (written) unwritten.delete(session);
        return written;
      } catch (error) {
        if (!isFull(error)) throw error;
        return show(session, stored, all);
      }
    },
    async keepOriginals(added) {
      try {
        await store.keepOriginals(added);
      } catch (error) {
        const more = added.reduce((sum, { text }) => sum + text.length, 0);
        if (!isFull(error) || characters + more > MAX_UNWRITTEN_CHARACTERS) throw error;
        for (const original of added) originals.set(sha256(original.text), original);
        characters = [...originals.values()].reduce((sum, { text }) => sum + text.length, 0);
        later();
      }
    },
    async readOriginal(handle) {
      const [hash, ...others] = findByDigits([...originals.keys()], handle.replace(/^plimsoll:/, ""));
      const original = hash === undefined || others.length > 0 ? undefined : originals.get(hash);
      return original?.text ?? store.readOriginal(handle);
    },
    async check() {
      await store.check();
      await writeAll();
    },
    async close() {
      clearTimeout(timer);
      await writeAll().catch(() => undefined);
      await store.close();
    },
  };
}

function isFull(error: unknown): boolean {
  return FULL.has(errorCode(error));
}
