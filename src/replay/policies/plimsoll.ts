import { applyEdits } from "../../core/apply-edits.ts";
import type { View } from "../../core/layer.ts";
import type { Message } from "../../core/message.ts";
import { DEFAULT_HOST } from "../../hosts/catalogue.ts";
import { createClearStale } from "../../layers/clear-stale.ts";
import { createCollapseTurns } from "../../layers/collapse-turns.ts";
import { createFoldOutputs } from "../../layers/fold-outputs.ts";
import type { StoringLayer } from "../../layers/history/originals.ts";
import {
  DEFAULT_POLICY,
  POLICY_SETTINGS,
  type PolicyName,
  STANDING_TOKENS,
} from "../../layers/options/policy-settings.ts";
import { type Briefing, type Decision, NOTHING_TO_DO, type Occasion, type Policy } from "../policy.ts";
import { COMPACTION_RESERVE_TOKENS, withBackstop } from "./native.ts";

const { vocabulary } = DEFAULT_HOST;

/** A short word with its blank, by the denser tokenizer. */
const TOKENS_PER_FILLER = 1.7;
/** The module tells beside the ledger what is open and what was demanded; a text of the same weight stands for it here. */
const STANDING = "state ".repeat(STANDING_TOKENS / TOKENS_PER_FILLER);

interface Row {
  /** Asked about what was never sent. */
  readonly atBirth: readonly StoringLayer[];
  /** Asked about the whole conversation. */
  readonly later: readonly StoringLayer[];
}

/** Layers as the doors ask them, one request after another. */
function createPolicy(name: string, about: string, createRow: (briefing: Briefing) => Row): Policy {
  return withBackstop({
    name,
    about,
    create(briefing) {
      const { atBirth, later } = createRow(briefing);
      return {
        plan(occasion) {
          const fresh = occasion.messages.slice(occasion.sentMessages);
          const born = runRow(atBirth, fresh, occasion);
          const messages =
            born.edits.length === 0 ? occasion.messages : applyEdits(occasion.messages, born.edits).messages;
          const kept = runRow(later, messages, occasion);
          const edits = [...born.edits, ...kept.edits];
          if (edits.length === 0) return NOTHING_TO_DO;
          return { edits, originals: [...(born.originals ?? []), ...(kept.originals ?? [])] };
        },
      };
    },
  });
}

function runRow(row: readonly StoringLayer[], messages: readonly Message[], occasion: Occasion): Decision {
  const { countTokens, baseTokens, windowTokens, model, isCold, share1h } = occasion;
  let view: View = {
    messages,
    tokens: messages.reduce((sum, message) => sum + countTokens(message), 0),
    targetTokens: windowTokens - COMPACTION_RESERVE_TOKENS - baseTokens,
    countTokens,
    occasion: { baseTokens, model, isCold, share1h, marks: "client" },
  };
  const decisions = row.map((layer): Decision => {
    const edits = layer.plan(view);
    const originals = layer.originals(edits, view.messages);
    view = { ...view, messages: applyEdits(view.messages, edits).messages };
    return { edits, originals };
  });
  return {
    edits: decisions.flatMap(({ edits }) => edits),
    originals: decisions.flatMap(({ originals }) => originals ?? []),
  };
}

const createFold = (policy: PolicyName): StoringLayer =>
  createFoldOutputs({ ...POLICY_SETTINGS[policy].fold, atBirth: true, vocabulary });

const createCollapse = (policy: PolicyName, { session }: Briefing): StoringLayer =>
  createCollapseTurns({ policy, vocabulary, root: session.root, standing: () => STANDING });

function createNamed(name: string, policy: PolicyName, about: string): Policy {
  return createPolicy(name, about, (briefing) => ({
    atBirth: [createFold(policy)],
    later: [createCollapse(policy, briefing)],
  }));
}

/** The default first, then the other named settings, then single layers. */
export const plimsollPolicies: readonly Policy[] = [
  createNamed(
    "plimsoll",
    DEFAULT_POLICY,
    "the default (balanced): old exchanges become a ledger once carrying them has cost what rewriting costs, or when cold",
  ),
  createNamed("plimsoll:thrifty", "thrifty", "folds more at birth and keeps fewer words in the ledger"),
  createNamed("plimsoll:cautious", "cautious", "waits longer, keeps eight exchanges and most words in sight"),
  createPolicy("only:fold", "the default's folding at birth, and nothing else", () => ({
    atBirth: [createFold(DEFAULT_POLICY)],
    later: [],
  })),
  createPolicy("only:clear", "clearing of stale results, and nothing else", () => ({
    atBirth: [],
    later: [createClearStale({ vocabulary })],
  })),
  createPolicy("only:collapse", "the default's ledger, without folding at birth", (briefing) => ({
    atBirth: [],
    later: [createCollapse(DEFAULT_POLICY, briefing)],
  })),
];
