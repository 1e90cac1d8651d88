import { clairvoyant, clairvoyantRecover } from "./policies/clairvoyant.ts";
import { clearToolUses, dedupePurge, geminiMask, maskObservations, opencodePrune } from "./policies/clear-results.ts";
import { native, nativeSplit, smallerWindows } from "./policies/native.ts";
import { none } from "./policies/none.ts";
import { plimsollPolicies } from "./policies/plimsoll.ts";
import { trimOldest } from "./policies/trim-oldest.ts";
import type { Policy } from "./policy.ts";

/** Every policy that comes with the program: the one list that the command, its help and the tests read. */
export const POLICIES: readonly Policy[] = [
  none,
  native,
  nativeSplit,
  ...smallerWindows,
  trimOldest,
  clearToolUses,
  maskObservations,
  opencodePrune,
  geminiMask,
  dedupePurge,
  ...plimsollPolicies,
  clairvoyant,
  clairvoyantRecover,
];

/** All others are told relative to it. */
export const REFERENCE = "native";
