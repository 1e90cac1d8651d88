import { splitLoosely } from "../../core/sentences.ts";
import type { UserWords } from "../../session/track-words.ts";

const AT_START = /(?:^|[;&|(\n])\s*(?:\w+=\S+ )*/.source;
const GIT = `${AT_START}git (?:-\\S+ \\S+ )*`;

/** Commands of which people say "never push": by the verb, the commands that do it. */
const ACTS: Readonly<Record<string, RegExp>> = {
  push: new RegExp(`${GIT}push\\b(?!.*--dry-run)`),
  commit: new RegExp(`${GIT}commit\\b(?!.*--dry-run)`),
  merge: new RegExp(`${GIT}merge\\b(?!.*--abort)|${AT_START}gh pr merge\\b`),
  rebase: new RegExp(`${GIT}rebase\\b(?!.*--(?:abort|quit))`),
  stash: new RegExp(`${GIT}stash\\b(?! (?:list|show))`),
  amend: new RegExp(`${GIT}commit\\b.*--amend\\b`),
  publish: new RegExp(`${AT_START}(?:npm|pnpm|yarn|cargo) publish\\b(?!.*--dry-run)`),
};

/** A ban on the act itself. Whatever limits it ("to main", "before the tests pass", "without asking") needs judgement, and is left alone. */
const BAN = new RegExp(
  `^(?:(?:and|but|also|please|important)\\b[\\s,:]*)*(?:never|do not|don['’]?t)(?: ever)? (?:git )?(${Object.keys(ACTS).join("|")})` +
    "(?:,? (?:it|this|that|them|anything|yourself|please|(?:(?:the|your|my|any) )?(?:changes?|commits?|code|work|branch(?:es)?)|(?:to|on) (?:github|gitlab|origin|(?:the )?remote)))*\\s*[.!]*$",
  "i",
);

/** The user's own sentence that a command is about to break; `undefined` if none plainly does, or if they have spoken of that act since. */
export function findBreach(command: string, words: readonly UserWords[]): string | undefined {
  const acts = Object.keys(ACTS).filter((act) => ACTS[act]?.test(command));
  if (acts.length === 0) return undefined;
  const bans = new Map<string, string>();
  for (const sentence of words.flatMap(({ text }) => splitLoosely(text))) {
    for (const act of bans.keys()) if (sentence.toLowerCase().includes(act)) bans.delete(act);
    const [, act] = BAN.exec(sentence) ?? [];
    if (act !== undefined) bans.set(act.toLowerCase(), sentence);
  }
  return acts.map((act) => bans.get(act)).find((ban) => ban !== undefined);
}
