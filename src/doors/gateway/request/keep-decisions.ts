import type { Edit } from "../../../core/edit.ts";
import type { Message } from "../../../core/message.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { listOriginals } from "../../../layers/history/list-originals.ts";
import type { GatewayStore, KeptEdit, KnownLedger } from "../store/gateway-store.ts";
import { within } from "./patience.ts";

export interface NewDecisions {
  readonly edits: readonly Edit[];
  /** The model's last answer before them, where decisions have to be told apart by it. */
  readonly after: string | undefined;
  /** The conversation that they are about. */
  readonly view: readonly Message[];
  readonly ledger: KnownLedger;
  /** The request waits so long for its originals to be kept, and then changes nothing. */
  readonly budgetMs: number;
}

/**
 * A decision that is under way may be kept although nobody heard of it, and would then change the next request's prefix: rather
 * wait for the answer.
 */
const APPEND_TIMEOUT_MS = 2_000;

/** Originals first, then the decisions: what leaves a conversation must be somewhere else before. `undefined` as in the store. */
export async function keepDecisions(
  store: GatewayStore,
  session: string,
  { edits, after, view, ledger, budgetMs }: NewDecisions,
): Promise<KnownLedger | undefined> {
  const originals = listOriginals(edits, view, sha256);
  await within(budgetMs, store.keepOriginals(originals));
  const decisions = edits.map((edit): KeptEdit => {
    const hashes = originals.flatMap(({ handle, hash }) => (edit.handles.includes(handle) ? [hash] : []));
    return { ...edit, ...(hashes.length > 0 ? { originals: hashes } : {}), ...(after === undefined ? {} : { after }) };
  });
  return within(APPEND_TIMEOUT_MS, store.appendDecisions(session, decisions, ledger));
}
