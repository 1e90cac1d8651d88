import { normalizePath } from "./file-path.ts";
import type { Happening, Tracker } from "./happening.ts";
import { nameAttempt } from "./name-attempt.ts";

/** One turn in short: what can be said of it long after its contents are gone. */
export interface TurnNote {
  readonly turn: number;
  /** A short text of the model: outcomes and announcements. */
  readonly texts: readonly string[];
  /** Words of this turn, for telling whether a subject is still spoken of. */
  readonly words: string;
  /** Files written or edited in this turn. */
  readonly changed: readonly string[];
}

export interface TurnState {
  readonly turn: number;
  readonly lastAtMs: number | undefined;
  /** Notes of the turns that matter for cold tasks: all short texts, words of the last turns only. */
  readonly notes: readonly TurnNote[];
  /** The last thing done, for the place to go on from. */
  readonly lastAttempt: string;
}

const SHORT_TEXT_CHARACTERS = 300;
const WORDS_KEPT_TURNS = 20;
const WORDS_PER_TURN = 4000;
/** A task is written down about twenty turns after its end; what lies further back than this was, or never will be. */
const MAX_NOTES = 1000;

interface OpenNote {
  readonly turn: number;
  texts: readonly string[];
  words: string;
  changed: readonly string[];
}

export function createTurnTracker(
  saved: TurnState = { turn: 0, lastAtMs: undefined, notes: [], lastAttempt: "" },
): Tracker<TurnState> {
  let { turn, lastAtMs, lastAttempt } = saved;
  const notes: OpenNote[] = saved.notes.map((note) => ({ ...note }));

  const noteOf = (at: number): OpenNote => {
    const last = notes.at(-1);
    if (last && last.turn === at) return last;
    const fresh: OpenNote = { turn: at, texts: [], words: "", changed: [] };
    notes.push(fresh);
    if (notes.length > MAX_NOTES) notes.shift();
    const aged = notes.at(-1 - WORDS_KEPT_TURNS);
    if (aged) aged.words = "";
    return fresh;
  };

  const speak = (at: number, words: string): void => {
    const note = noteOf(at);
    const room = WORDS_PER_TURN - note.words.length;
    if (room > 1) note.words += ` ${words.toLowerCase().slice(0, room - 1)}`;
  };

  const hear = (at: number, said: string): void => {
    speak(at, said);
    const text = said.trim();
    if (text === "" || text.length >= SHORT_TEXT_CHARACTERS || /\n\s*\n/.test(text)) return;
    const note = noteOf(at);
    note.texts = [...note.texts, text];
  };

  const followOutcome = ({ action, outcome, turn: at }: Extract<Happening, { kind: "outcome" }>): void => {
    if ((action.kind !== "edit" && action.kind !== "write") || outcome.isError || outcome.isRefused) return;
    const note = noteOf(at);
    const path = normalizePath(action.path);
    if (path !== "" && !note.changed.includes(path)) note.changed = [...note.changed, path];
  };

  return {
    follow(happening: Happening) {
      switch (happening.kind) {
        case "turn":
          ({ turn } = happening);
          lastAtMs = happening.atMs ?? lastAtMs;
          noteOf(turn);
          break;
        case "said":
          hear(happening.turn, happening.text);
          break;
        case "asked":
          speak(happening.turn, happening.text);
          break;
        case "act":
          lastAttempt = nameAttempt(happening.action);
          // Marking a task done names its subject; that is not speaking of it.
          if (happening.action.kind !== "updateTask" && happening.action.kind !== "replaceTodos")
            speak(happening.turn, lastAttempt);
          break;
        case "outcome":
          followOutcome(happening);
          break;
        default:
          break;
      }
    },
    state: () => ({ turn, lastAtMs, lastAttempt, notes: notes.map((note) => ({ ...note })) }),
  };
}
