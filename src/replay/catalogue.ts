import { clairvoyant } from "./policies/clairvoyant.ts";
import { clearToolUses } from "./policies/clear-results.ts";
import { native, smallerWindows } from "./policies/native.ts";
import { plimsollPolicies } from "./policies/plimsoll.ts";
import type { Policy } from "./policy.ts";

/**
 * What a person can choose between: the client, the client set to a smaller window, the API's own clearing, Plimsoll and its
 * settings; and the limit that none of them can pass. Rivals, variants and doors are rows of the lab (`lab/replay/catalogue.ts`).
 */
export const POLICIES: readonly Policy[] = [native, ...smallerWindows, clearToolUses, ...plimsollPolicies, clairvoyant];

/** Plimsoll as it is installed. */
export const DEFAULT_POLICY = "plimsoll";

/** All others are told relative to it. */
export const REFERENCE = "native";
