import { isChange } from "./action.ts";
import { nameAttempt } from "./failed-approaches.ts";
import { normalizePath } from "./file-path.ts";
import type { HappeningOf, Tracker } from "./happening.ts";

/** A short note of one request, which outlives its contents. */
interface RequestNote {
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

type OpenNote = { -readonly [Field in keyof RequestNote]: RequestNote[Field] };

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

  const followOutcome = ({ action, outcome, request: at }: HappeningOf<"outcome">): void => {
    if (!isChange(action) || outcome.isError || outcome.isRefused) return;
    const note = noteOf(at);
    const path = normalizePath(action.path);
    if (path !== "" && !note.changed.includes(path)) note.changed = [...note.changed, path];
  };

  return {
    follow(happening) {
      const { kind, request } = happening;
      if (kind === "request") {
        count = request;
        lastAtMs = happening.atMs ?? lastAtMs;
        noteOf(count);
      }
      if (kind === "said") hear(request, happening.text);
      if (kind === "asked") speak(request, happening.text);
      // Marking a task done names its subject; that is neither discussing it nor a step of the work.
      if (kind === "act" && !KEEPS_LIST.has(happening.action.kind)) {
        lastAttempt = nameAttempt(happening.action);
        speak(request, lastAttempt);
      }
      if (kind === "outcome") followOutcome(happening);
    },
    state: () => ({ count, lastAtMs, lastAttempt, notes: notes.map((note) => ({ ...note })) }),
  };
}
