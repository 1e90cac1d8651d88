import { clairvoyant } from "../../src/replay/policies/clairvoyant.ts";
import { clearToolUses } from "../../src/replay/policies/clear-results.ts";
import { native, nativeIdle, smallerWindows } from "../../src/replay/policies/native.ts";
import { plimsollPolicies } from "../../src/replay/policies/plimsoll.ts";
import type { Policy, ReplayTerms } from "../../src/replay/policy.ts";
import { CACHE_LIFE_WORDS, nameWithLife, PROPOSED_CACHE_LIFE } from "../../src/replay/policy-names.ts";
import { clairvoyantRecover } from "./policies/clairvoyant-recover.ts";
import { dedupePurge, geminiMask, maskObservations, opencodePrune } from "./policies/clear-results.ts";
import { none } from "./policies/none.ts";
import { trimOldest } from "./policies/trim-oldest.ts";
import { variants } from "./policies/variants.ts";
import { trimBase } from "./trim-base.ts";

/** The models that people start with now: reading from the cache costs 5 % and 2.5 % of the input price, where it cost 10 % before. */
const NEWEST_MODELS = ["opus-5-5", "sonnet-5-5", "fable-5-1"];
/** Every row that a document states is also measured at the prices of this one. */
const [HEADLINE_MODEL = ""] = NEWEST_MODELS;

const [standard, ...settings] = plimsollPolicies;

/** Every policy there is: the product's, and those that they are compared with. */
export const LAB_POLICIES: readonly Policy[] = [
  none,
  native,
  splitLife(native),
  nativeIdle,
  ...smallerWindows,
  trimOldest,
  clearToolUses,
  maskObservations,
  opencodePrune,
  geminiMask,
  dedupePurge,
  ...(standard ? [standard, ...withLevers(standard)] : []),
  ...priceAsNewest(native),
  ...priceAsHeadline(...smallerWindows, nativeIdle),
  ...(standard ? priceAsNewest(standard, withBoth(standard)) : []),
  ...settings,
  ...variants,
  clairvoyant,
  clairvoyantRecover,
];

type Row = Pick<Policy, "name" | "about"> & ReplayTerms;

/** A row with a smaller base, with the split cache life, and with both. */
export function withLevers<Each extends Row>(row: Each): readonly Each[] {
  return [smallerBase(row), splitLife(row), withBoth(row)];
}

/** The same where the cache life is what `plimsoll install` sets in the client: a client waits for no pause before it writes for an hour. */
export function withInstalledLevers<Each extends Row>(row: Each): readonly Each[] {
  return [smallerBase(row), proposedLife(row), proposedLife(smallerBase(row))];
}

export function priceAsNewest<Each extends Row>(...rows: readonly Each[]): readonly Each[] {
  return NEWEST_MODELS.flatMap((model) => rows.map((row) => priceAs(row, model)));
}

export function priceAsHeadline<Each extends Row>(...rows: readonly Each[]): readonly Each[] {
  return rows.map((row) => priceAs(row, HEADLINE_MODEL));
}

/** The same policy with every request at another model's prices, next to the client at these prices. */
function priceAs<Each extends Row>(policy: Each, model: string): Each {
  return {
    ...policy,
    name: `${policy.name}+${model}`,
    about: `${policy.name} with every request at the prices of ${model}, and decided by them`,
    pricedAs: `claude-${model}`,
    beside: `${native.name}+${model}`,
  };
}

function proposedLife<Each extends Row>(row: Each): Each {
  return {
    ...row,
    name: nameWithLife(row.name, PROPOSED_CACHE_LIFE),
    about: `${row.about}, with a cache life of ${CACHE_LIFE_WORDS[PROPOSED_CACHE_LIFE]}`,
    life: PROPOSED_CACHE_LIFE,
  };
}

/** The same policy where the conversation is cached for five minutes, and what stands in front of it for an hour. */
function splitLife<Each extends Row>(policy: Each): Each {
  return {
    ...policy,
    name: `${policy.name}+split`,
    about: `${policy.name} with the conversation cached for five minutes, system prompt and tools for an hour where that is worth it`,
    life: "split",
  };
}

/** The same policy where what the project's sessions never called waits behind the tool search. */
function smallerBase<Each extends Row>(policy: Each): Each {
  return {
    ...policy,
    name: `${policy.name}+base`,
    about: `${policy.name} where tools that no session of the project has called wait behind the tool search, by their sizes in Claude Code 2.1.325`,
    adapt: (subject) => ({ ...subject, session: trimBase(subject.session) }),
  };
}

function withBoth<Each extends Row>(policy: Each): Each {
  const { about } = policy;
  return { ...splitLife(smallerBase(policy)), name: `${policy.name}+both`, about: `${about}, with +base and +split` };
}
