import type { KeptEdit } from "../../../core/edit.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { listOriginals } from "../../../layers/history/list-originals.ts";
import type { RequestPlan } from "../plan-request.ts";
import type { GatewayStore, KnownLedger } from "../store/gateway-store.ts";
import type { SessionName } from "./identify-session.ts";
import { within } from "./patience.ts";
import { type ReplayedView, selectOwn } from "./replay-view.ts";

/** The view of a conversation, and the stored decisions that it was made by. */
export interface KnownView {
  readonly replayed: ReplayedView;
  readonly ledger: KnownLedger;
}

/** A decision in progress may be stored without our hearing of it, and would then change the next request's prefix. Waiting for the answer is better. */
const APPEND_TIMEOUT_MS = 2_000;

/**
 * Stores originals first, then the decisions: nothing leaves a conversation before it is stored. Returns the view with
 * them; `undefined` if another instance has decided since. After `budgetMs` without its originals stored, a request changes nothing.
 */
export async function keepDecisions(
  { edits, messages }: RequestPlan,
  { session, answers, replayed, ledger }: SessionName & KnownView,
  { store, budgetMs }: { readonly store: GatewayStore; readonly budgetMs: number },
): Promise<KnownView | undefined> {
  const originals = listOriginals(edits, replayed.view, sha256);
  await within(budgetMs, store.keepOriginals(originals));
  const after = answers?.at(-1);
  const decisions = edits.map((edit): KeptEdit => {
    const hashes = originals.flatMap(({ handle, hash }) => (edit.handles.includes(handle) ? [hash] : []));
    return { ...edit, ...(hashes.length > 0 ? { originals: hashes } : {}), ...(after === undefined ? {} : { after }) };
  });
  const kept = await within(APPEND_TIMEOUT_MS, store.appendDecisions(session, decisions, ledger));
  return (
    kept && { ledger: kept, replayed: { ...replayed, view: messages, decisions: selectOwn(kept.decisions, answers) } }
  );
}
