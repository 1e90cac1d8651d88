/** What a sub-agent has to know that it cannot read off the code. Plain data; every item is one line. */
export interface PacketDraft {
  /** What is to be done, beginning with a verb. */
  readonly task: string;
  /** How much a packet of this task may weigh: see `PACKET_TARGET_TOKENS`. */
  readonly size: PacketSize;
  /** Who delegates. */
  readonly parent?: string;
  /** What was chosen over what, and why. */
  readonly decisions: readonly string[];
  /** MUST, MUST NOT, BLOCKED BY. */
  readonly constraints: readonly string[];
  /** The approach and how it failed. */
  readonly alreadyTried: readonly string[];
  /** Types, signatures, contracts: they outlive renamed files and moved lines. */
  readonly typeSurface: readonly string[];
  /** The only place for paths. */
  readonly filesTouched: readonly string[];
  /** Behaviour that can be tested. */
  readonly acceptance: readonly string[];
  readonly outOfScope: readonly string[];
}

export type PacketSize = "simple" | "complex";

/** A packet stays below its target; from the hard maximum on it defeats its purpose and is not sent. */
export const PACKET_TARGET_TOKENS: Readonly<Record<PacketSize, number>> = { simple: 500, complex: 1500 };
export const PACKET_MAX_TOKENS = 2000;

/** In the order in which a reader needs them. */
export const PACKET_SECTIONS = [
  ["decisions", "Decisions"],
  ["constraints", "Constraints"],
  ["alreadyTried", "Already Tried"],
  ["typeSurface", "Type Surface"],
  ["filesTouched", "Files Touched"],
  ["acceptance", "Acceptance"],
  ["outOfScope", "Out of scope"],
] as const;

/** What stands in a section that is empty on purpose. */
export const EMPTY_SECTION = "(none)";
