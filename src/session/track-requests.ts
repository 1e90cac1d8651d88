import { nameAttempt } from "./failed-approaches.ts";
import { normalizePath } from "./file-path.ts";
import type { Happening, Tracker } from "./happening.ts";

/** A short note of one request, which outlives its contents. */
export interface RequestNote {
  readonly request: number;
  /** Short texts of the model: outcomes and announcements. */
  readonly texts: readonly string[];
  /** Words of this request, to tell whether a subject is still discussed. */
  readonly words: string;
  readonly changed: readonly string[];
}

export interface RequestState {
  readonly count: number;
  readonly lastAtMs: number | undefined;
  /** Notes of the requests that matter for cold tasks: all short texts, but words of the last requests only. */
  readonly notes: readonly RequestNote[];
  /** The last thing done, as the place to continue from. */
  readonly lastAttempt: string;
}

const SHORT_TEXT_CHARACTERS = 300;
const WORDS_KEPT_REQUESTS = 20;
const WORDS_PER_REQUEST = 4000;
/** A task is recorded about twenty requests after its end; older notes were used already, or never will be. */
const MAX_NOTES = 1000;

const KEEPS_LIST: ReadonlySet<string> = new Set(["createTask", "updateTask", "listTasks", "replaceTodos"]);

interface OpenNote {
  readonly request: number;
  texts: readonly string[];
  words: string;
  changed: readonly string[];
}

export function createRequestTracker(
  saved: RequestState = { count: 0, lastAtMs: undefined, notes: [], lastAttempt: "" },
): Tracker<RequestState> {
  let { count, lastAtMs, lastAttempt } = saved;
  const notes: OpenNote[] = saved.notes.map((note) => ({ ...note }));

  const noteOf = (at: number): OpenNote => {
    const last = notes.at(-1);
    if (last && last.request === at) return last;
    const fresh: OpenNote = { request: at, texts: [], words: "", changed: [] };
    notes.push(fresh);
    if (notes.length > MAX_NOTES) notes.shift();
    const aged = notes.at(-1 - WORDS_KEPT_REQUESTS);
    if (aged) aged.words = "";
    return fresh;
  };

  const speak = (at: number, words: string): void => {
    const note = noteOf(at);
    const room = WORDS_PER_REQUEST - note.words.length;
    if (room > 1) note.words += ` ${words.toLowerCase().slice(0, room - 1)}`;
  };

  const hear = (at: number, said: string): void => {
    speak(at, said);
    const text = said.trim();
    if (text === "" || text.length >= SHORT_TEXT_CHARACTERS || /\n\s*\n/.test(text)) return;
    const note = noteOf(at);
    note.texts = [...note.texts, text];
  };

  const followOutcome = ({ action, outcome, request: at }: Extract<Happening, { kind: "outcome" }>): void => {
    if ((action.kind !== "edit" && action.kind !== "write") || outcome.isError || outcome.isRefused) return;
    const note = noteOf(at);
    const path = normalizePath(action.path);
    if (path !== "" && !note.changed.includes(path)) note.changed = [...note.changed, path];
  };

  return {
    follow(happening: Happening) {
      switch (happening.kind) {
        case "request":
          count = happening.request;
          lastAtMs = happening.atMs ?? lastAtMs;
          noteOf(count);
          break;
        case "said":
          hear(happening.request, happening.text);
          break;
        case "asked":
          speak(happening.request, happening.text);
          break;
        case "act":
          // Marking a task done names its subject; that is neither discussing it nor a step of the work.
          if (KEEPS_LIST.has(happening.action.kind)) break;
          lastAttempt = nameAttempt(happening.action);
          speak(happening.request, lastAttempt);
          break;
        case "outcome":
          followOutcome(happening);
          break;
        default:
          break;
      }
    },
    state: () => ({ count, lastAtMs, lastAttempt, notes: notes.map((note) => ({ ...note })) }),
  };
}
