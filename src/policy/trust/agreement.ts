import { sha256 } from "../../core/sha256.ts";

/** A text in a project that claims to be the user's own. */
export interface Claim {
  /** The project's folder, links resolved. */
  readonly project: string;
  /** Path relative to the project, with slashes. */
  readonly name: string;
  readonly text: string;
}

/** A state file is saved many times per session, and two sessions may save it in turns. */
const MAX_HASHES = 64;

/** Enough for a record of `MAX_HASHES` hashes. */
export const MAX_RECORD_BYTES: number = 1 << 16;

/** Why an entry point does not use a file; `read` reports it like any other reason. */
export const WAITS = "waits for your agreement (run plimsoll trust)";

/**
 * Only files that Plimsoll treats as the user's word are guarded. A mode file is none: its one word selects a text of ours, any other word
 * selects nothing, and none of it reaches the model.
 */
const GUARDED = /^(?:\.plimsoll\/|\.rune\/|rules\/)(?!active-context\.md$)/;

/** Agreeing to one of these texts counts in every project, so that a worktree does not ask again. */
const COUNTS_ANYWHERE = /^(\.plimsoll\/)?rules\//;

export function isGuarded(name: string): boolean {
  return GUARDED.test(name);
}

/** An original is recorded by its hash alone, because the same output may be folded in several projects. */
export function claimOriginal(hash: string): Claim {
  return { project: hash, name: "original", text: hash };
}

/**
 * The record of agreement: one small file of hashes per claimed path, in the user's own folder. A repository cannot write there, nor make
 * a text with another text's hash, so it does not matter how the project came to this machine.
 */
export function locateAgreement(dataFolder: string, { name, project }: Claim): string {
  const hash = sha256(`${COUNTS_ANYWHERE.test(name) ? "" : project}\n${name}`);
  return `${dataFolder}/agreed/${hash.slice(0, 2)}/${hash}`;
}

/** A text is the user's if the record has its hash. A missing record counts as empty, and an empty text claims nothing. */
export function isAgreed(record: string, { text }: Claim): boolean {
  return text.trim() === "" || record.split("\n").includes(sha256(text));
}

export function addAgreement(record: string, { text }: Claim): string {
  return [sha256(text), ...record.split("\n").slice(0, MAX_HASHES)].join("\n");
}

const MAX_NAMES = 6;

/** Tells the user, once per session, what was found, that it is not used, and the command to run. */
export function renderWaiting(names: readonly string[]): string {
  if (names.length === 0) return "";
  const rest = names.length - MAX_NAMES;
  const shown = `${names.slice(0, MAX_NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const files = names.length === 1 ? "1 file of this project is" : `${names.length} files of this project are`;
  return `${files} not used until you agree to ${names.length === 1 ? "it" : "them"} (${shown}). Run: plimsoll trust`;
}
