import type { Occasion } from "../../../src/core/layer.ts";
import type { Message } from "../../../src/core/message.ts";
import { hostOfWire } from "../../../src/hosts/catalogue.ts";
import { DEFAULT_POLICY } from "../../../src/layers/options/policy-settings.ts";
import { findModel } from "../../../src/models/find-model.ts";
import { COMPACTION_RESERVE_TOKENS } from "../../../src/replay/policies/native.ts";
import type { Briefing, StepView } from "../../../src/replay/policy.ts";
import { createCompactor } from "../../../src/wire/compactor.ts";
import type { WireMessage } from "../../../src/wire/conversation.ts";
import type { EntryPoint, EntryPointSession } from "../entry-point.ts";
import { createWireView } from "../wire-view.ts";

/** An agent of one's own with `compact()` before every request. Nobody compacts for it: above the line its layers do. */
export const libraryEntryPoint: EntryPoint = {
  name: "door:library",
  about: `compact() of the library with policy ${DEFAULT_POLICY}, told of base, model and cache what an agent knows`,
  open: async (briefing) => openSession(briefing),
};

function openSession({ session }: Briefing): EntryPointSession {
  const wire = createWireView();
  const raws: WireMessage[] = [];
  const history: Message[] = [];
  let known: Occasion | undefined;
  let lastMs: number | undefined;
  let lastModel = "";
  const compactor = createCompactor<readonly WireMessage[]>({
    targetTokens: session.windowTokens - COMPACTION_RESERVE_TOKENS - session.baseTokens,
    policy: DEFAULT_POLICY,
    model: session.steps[0]?.model ?? "",
    occasion: () =>
      known ?? { baseTokens: session.baseTokens, model: lastModel, isCold: false, share1h: 0, marks: "client" },
    decideAuthor: hostOfWire("anthropic").decidePromptAuthor,
    layers: { vocabulary: session.vocabulary, collapseExchanges: { root: session.root } },
  });
  /** An agent knows its clock and its own marks; what lies in the cache it can only guess from them. */
  const guess = ({ nowMs, model, share1h, baseTokens }: StepView): Occasion => {
    const { long, short } = findModel(model).cacheLifeMs;
    const isPast = lastMs !== undefined && nowMs - lastMs > (share1h > 0.5 ? long : short);
    const isCold = lastMs !== undefined && (isPast || model !== lastModel);
    return { baseTokens, model, isCold, share1h: Math.round(share1h), marks: "client" };
  };
  return {
    async plan(occasion) {
      const joined = occasion.messages.slice(occasion.sentMessages);
      history.push(...joined);
      raws.push(...joined.map(wire.render));
      known = guess(occasion);
      const { messages, originals, report, failure } = await compactor.prepare([...raws]);
      lastMs = occasion.nowMs;
      lastModel = occasion.model;
      const refused = report.layers.flatMap((layer) => layer.refused.map(({ why }) => `an edit was refused: ${why}`));
      return {
        edits: [],
        view: wire.read(messages, history),
        originals: originals.map(wire.unwrap),
        left: failure === undefined ? refused : [...refused, failure],
      };
    },
    close: async () => undefined,
  };
}
