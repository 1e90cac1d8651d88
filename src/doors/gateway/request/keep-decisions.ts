import type { Edit } from "../../../core/edit.ts";
import type { Message } from "../../../core/message.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { listOriginals } from "../../../layers/history/list-originals.ts";
import type { GatewayStore, KeptEdit, KnownLedger } from "../store/gateway-store.ts";
import { within } from "./patience.ts";

export interface NewDecisions {
  readonly edits: readonly Edit[];
  /** The model's last answer before them, if decisions have to be told apart by it. */
  readonly after: string | undefined;
  readonly view: readonly Message[];
  readonly ledger: KnownLedger;
  /** How long the request waits for its originals to be stored; after that it changes nothing. */
  readonly budgetMs: number;
}

/** A decision in progress may be stored without our hearing of it, and would then change the next request's prefix. Waiting for the answer is better. */
const APPEND_TIMEOUT_MS = 2_000;

/** Stores originals first, then the decisions: nothing leaves a conversation before it is stored. `undefined` as in the store. */
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
