import type { Action } from "./action.ts";
import type { Happening, Tracker } from "./happening.ts";
import { findPaths, splitSentences } from "./sentences.ts";

/** What the model said it would do next and has not been seen to do. */
export interface Announced {
  readonly text: string;
  readonly request: number;
  /** Files that it names: it is done when one of them is changed. */
  readonly paths: readonly string[];
}

/** A sentence that names a next step as such. "Let me read it" is the call that follows, not a plan. */
const NAMES_NEXT =
  /^\W{0,4}(?:next(?: up| step| steps)?(?: is)?\s{0,2}[:,—-]\s?\S|next I(?:'ll| will| need to)\b|(?:after|once) (?:that|this)\b.{0,80}\bI(?:'ll| will)\b|(?:still|remaining|left) (?:to do|open)\s{0,2}:|what(?:'s| is) left\s{0,2}:|I still (?:need|have) to\b)/i;
/** Without a file by which its end is seen, a step is soon past. */
const UNSEEN_REQUESTS = 3;
const SEEN_REQUESTS = 20;
const MAX_CHARACTERS = 200;

export function createAnnouncedTracker(saved?: Announced): Tracker<Announced | undefined> {
  let announced = saved;

  const hear = (text: string, request: number): void => {
    const said = splitSentences(text).findLast((sentence) => NAMES_NEXT.test(sentence));
    if (said === undefined || said.endsWith("?")) return;
    announced = { text: said.slice(0, MAX_CHARACTERS), request, paths: findPaths(said) };
  };

  const isPast = ({ request, paths }: Announced, now: number): boolean =>
    now - request > (paths.length > 0 ? SEEN_REQUESTS : UNSEEN_REQUESTS);

  return {
    follow(happening: Happening) {
      if (announced && isPast(announced, happening.request)) announced = undefined;
      if (happening.kind === "said") hear(happening.text, happening.request);
      // The person's next word is the plan.
      if (happening.kind === "asked" || happening.kind === "interrupted") announced = undefined;
      if (happening.kind === "outcome" && announced && isAbout(happening.action, announced)) announced = undefined;
    },
    state: () => announced,
  };
}

/** Whether a call does what was announced: changes a file that it names, or runs a command that it quotes. */
function isAbout(action: Action, { text, paths }: Announced): boolean {
  if (action.kind === "edit" || action.kind === "write") return paths.some((path) => action.path.endsWith(path));
  return (
    action.kind === "run" &&
    [...text.matchAll(/`([^`]{3,80})`/g)].some(([, code]) => action.command.includes(code ?? text))
  );
}
