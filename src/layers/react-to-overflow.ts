import { applyEdits } from "../core/apply-edits.ts";
import type { Edit } from "../core/edit.ts";
import type { Layer, View } from "../core/layer.ts";
import { listOriginals } from "./history/list-originals.ts";
import type { StoringLayer } from "./history/originals.ts";
import { type Overflow, parseOverflow } from "./overflow/parse-overflow.ts";

export interface ReactState {
  readonly hasAttemptedReactiveCompact: boolean;
  readonly overflow: Overflow | undefined;
}

export type Reaction =
  | { readonly kind: "notOverflow" }
  | { readonly kind: "retry"; readonly edits: readonly Edit[]; readonly overflow: Overflow }
  | { readonly kind: "giveUp"; readonly reason: string; readonly overflow: Overflow };

export interface ReactToOverflow extends StoringLayer {
  /** Starts a new request, which allows one more attempt. */
  begin(): void;
  react(status: number, body: unknown, view: View): Reaction;
  planHarder(view: View): readonly Edit[];
  state(): ReactState;
}

const NAME = "reactToOverflow";

/** Layer 4: the API said that the request does not fit. Runs the `harder` layers once, in order and whatever the line; a second refusal is passed on. */
export function createReactToOverflow(harder: readonly Layer[], saved?: ReactState): ReactToOverflow {
  const fresh: ReactState = { hasAttemptedReactiveCompact: false, overflow: undefined };
  let state = saved ?? fresh;
  const planHarder = (view: View): readonly Edit[] => planInARow(view, harder);

  return {
    name: NAME,
    cost: 4,
    eager: false,
    // In a pipeline it acts only for the request that overflowed.
    plan: (view) => (state.overflow === undefined ? [] : planHarder(view)),
    originals: listOriginals,
    planHarder,
    begin() {
      state = fresh;
    },
    react(status, body, view) {
      const overflow = parseOverflow(status, body);
      if (!overflow) return { kind: "notOverflow" };
      if (state.hasAttemptedReactiveCompact)
        return { kind: "giveUp", reason: "this request was already compacted once", overflow };
      state = { hasAttemptedReactiveCompact: true, overflow };
      const edits = planHarder(view);
      if (edits.length === 0) return { kind: "giveUp", reason: "there is nothing left to remove", overflow };
      return { kind: "retry", edits, overflow };
    },
    state: () => state,
  };
}

const MAX_ROUNDS = 5;

/** Each layer sees what the others left, until nothing more is found: one removal may enable another, such as of a read whose pointer is gone. */
function planInARow(view: View, layers: readonly Layer[]): readonly Edit[] {
  const edits: Edit[] = [];
  let { messages } = view;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = messages;
    for (const layer of layers) {
      const tokens = messages.reduce((sum, message) => sum + view.countTokens(message), 0);
      const outcome = applyEdits(messages, layer.plan({ ...view, messages, tokens, targetTokens: 0 }));
      edits.push(...outcome.applied.map((edit) => ({ ...edit, by: NAME })));
      messages = outcome.messages;
    }
    if (messages === before) break;
  }
  return edits;
}
