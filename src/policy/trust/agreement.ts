import { sha256 } from "../../core/sha256.ts";

/** A text in a project that claims to be the person's own. */
export interface Claim {
  /** The project's folder, links resolved. */
  readonly project: string;
  /** The path from there, with slashes. */
  readonly name: string;
  readonly text: string;
}

/** A state file is saved many times in a session; two sessions may save it in turns. */
const MAX_HASHES = 64;

/** A record of as many hashes, with room. */
export const MAX_RECORD_BYTES: number = 1 << 16;

/** Why an entry point does not use a file; `read` reports it like any other reason. */
export const WAITS = "waits for your agreement (run plimsoll trust)";

/** Only what Plimsoll reads as the person's word is guarded; the rest of a project is read as what it is. */
const GUARDED = /^(?:\.plimsoll|\.rune|rules)\//;

/** What a person reads as a text and agrees to counts in every project, so that a worktree does not ask again. */
const COUNTS_ANYWHERE = /^(\.plimsoll\/)?(rules\/|doc-rules\.md$)/;

export function isGuarded(name: string): boolean {
  return GUARDED.test(name);
}

/** An original is recorded by its own hash alone: the same output may be folded in several projects. */
export function claimOriginal(hash: string): Claim {
  return { project: hash, name: "original", text: hash };
}

/**
 * The record of agreement: one small file for each place, in the person's own folder. Its lines are hashes. A repository can write
 * neither there nor a text with the hash of another one, and it does not matter how the project came to this machine.
 */
export function locateAgreement(dataFolder: string, { name, project }: Claim): string {
  const hash = sha256(`${COUNTS_ANYWHERE.test(name) ? "" : project}\n${name}`);
  return `${dataFolder}/agreed/${hash.slice(0, 2)}/${hash}`;
}

/** The one decision: a text is the person's where the record of its place has its hash; no record is an empty one. An empty text claims nothing. */
export function isAgreed(record: string, { text }: Claim): boolean {
  return text.trim() === "" || record.split("\n").includes(sha256(text));
}

/** The record with the hash of one more text, the newest first. */
export function addAgreement(record: string, { text }: Claim): string {
  return [sha256(text), ...record.split("\n").slice(0, MAX_HASHES)].join("\n");
}

const MAX_NAMES = 6;

/** For the person, once in a session: what is there, that it is not used, and the command. */
export function renderWaiting(names: readonly string[]): string {
  if (names.length === 0) return "";
  const rest = names.length - MAX_NAMES;
  const shown = `${names.slice(0, MAX_NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const files = names.length === 1 ? "1 file of this project is" : `${names.length} files of this project are`;
  return `${files} not used until you agree to ${names.length === 1 ? "it" : "them"} (${shown}). Run: plimsoll trust`;
}
