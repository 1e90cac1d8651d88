import { POLICIES } from "../../../replay/catalogue.ts";
import type { Policy } from "../../../replay/policy.ts";
import { walkSession } from "../../../replay/walk-session.ts";
import type { WalkPolicy } from "./replay-file.ts";

/** A row of a replay: what it is called, and how a session goes under it. */
export interface KnownPolicy {
  readonly name: string;
  readonly about: string;
  /** Of the module that it came from, so that a changed module is not taken for the old one; empty for our own. */
  readonly origin: string;
  readonly walk: WalkPolicy;
}

export function toKnown(policy: Policy, origin = ""): KnownPolicy {
  const { name, about } = policy;
  return { name, about, origin, walk: (subject, options) => walkSession(subject, policy, options) };
}

/** The product's policies by name. Threads know the same. */
export const KNOWN_POLICIES: ReadonlyMap<string, KnownPolicy> = new Map(
  POLICIES.map((policy) => [policy.name, toKnown(policy)]),
);
