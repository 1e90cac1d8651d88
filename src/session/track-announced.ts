import { toOneLine } from "../core/clip-text.ts";
import { isAnnouncement } from "../core/sentences.ts";
import { type Action, isChange } from "./action.ts";
import { carriesOn } from "./episodes/episode-rules.ts";
import { isProbe } from "./failed-approaches.ts";
import type { Happening, Tracker } from "./happening.ts";
import { splitSentences } from "./sentences.ts";

/** What the model said it would do next and has not been seen to do. */
export interface Announced {
  readonly text: string;
  readonly request: number;
  /** The files and commands it names that no call has touched yet; when none is left it is done. */
  readonly paths: readonly string[];
}

/** A step without a name that would show its end is dropped after this many requests. */
const UNSEEN_REQUESTS = 20;
const MAX_CHARACTERS = 400;
/** How many items to take after a sentence that ends in a colon. */
const MAX_ITEMS = 4;

/** Removed when everything it names was done, when another step is announced, or when the user asks for something else. */
export function createAnnouncedTracker(saved?: Announced): Tracker<Announced | undefined> {
  let announced = saved;

  const hear = (text: string, request: number): boolean => {
    const sentences = splitSentences(text);
    const at = sentences.findLastIndex(isAnnouncement);
    const said = sentences[at];
    if (said === undefined) return false;
    const items = said.endsWith(":") ? sentences.slice(at + 1, at + 1 + MAX_ITEMS) : [];
    const whole = [said, ...items].join(" ");
    announced = { text: whole.slice(0, MAX_CHARACTERS), request, paths: findNames(whole) };
    return true;
  };

  const follow = (happening: Happening): Announced | undefined => {
    if (!announced) return undefined;
    const { request, paths } = announced;
    if (paths.length === 0 && happening.request - request > UNSEEN_REQUESTS) return undefined;
    if (happening.kind === "interrupted") return undefined;
    if (happening.kind === "asked") return carriesOn(toOneLine(happening.text)) ? announced : undefined;
    if (happening.kind !== "outcome" || paths.length === 0) return announced;
    const { outcome, action } = happening;
    if (outcome.isError || outcome.isRefused || (outcome.exitCode ?? 0) !== 0) return announced;
    const left = paths.filter((name) => !touches(action, name));
    return left.length === 0 ? undefined : { ...announced, paths: left };
  };

  return {
    follow(happening) {
      announced = follow(happening);
      if (happening.kind !== "said") return;
      const isAnnouncing = hear(happening.text, happening.request);
      // The end of a turn says what is open: an unnamed step that it does not mention is over.
      if (!isAnnouncing && happening.isTurnEnd === true && announced?.paths.length === 0) announced = undefined;
    },
    state: () => announced,
  };
}

const QUOTED = /`([^`\n]{3,80})`/g;
const FILE = /[\w@~./\\-]{1,200}\.[a-z]\w{0,7}\b(?!\()/gi;
const NO_FILE = /^(?:e\.g|i\.e|etc|vs|\d+\.\w+)$/i;

function findNames(text: string): readonly string[] {
  const quoted = [...text.matchAll(QUOTED)].map(([, code = ""]) => code);
  const files = [...text.replace(QUOTED, " ").matchAll(FILE)].map(([name]) => name);
  return [...new Set([...quoted, ...files.filter((name) => !NO_FILE.test(name))])];
}

/** Whether a call works on the named target: changes the file, or runs a command with it that does more than look. */
function touches(action: Action, name: string): boolean {
  if (isChange(action)) return action.path.endsWith(name);
  return action.kind === "run" && !isProbe(action.command) && action.command.includes(name.replace(/^.*[\\/]/, ""));
}
