import { isObject, objectField, textField } from "../../../core/json.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import { priceUsage } from "../../../models/economics/spend.ts";
import { isNoteDue, renderNote, renderNotePrompt } from "../../../policy/note.ts";
import { parseUsage } from "../../../wire/anthropic/parse-usage.ts";
import type { ClientPort } from "../client-port.ts";
import { describeCarried, settingsOf } from "../line.ts";
import type { Live } from "../live.ts";
import { lastNote, NO_NOTE, type NoteState } from "./note-state.ts";

/** A note that reads less than this share of the conversation from the cache costs as much as the client's own summary. */
const LEAST_CACHED = 0.5;

/** Asks for a note if a compaction is close but does not come before the next request. Nothing waits for the answer. */
export function considerNote($: ClientPort, live: Live): void {
  const { note, settings, steering } = live;
  if (!settings.hasNote || note.isAsked || note.isOff || steering.why !== "" || !steering.isOn) return;
  const carried = describeCarried(live, live.nowMs());
  if (carried === undefined || !isNoteDue(carried, { ...settings, ...settingsOf(live) })) return;
  live.note = { ...note, isAsked: true };
  const { window } = note;
  void ask(live, $.model.forkAside({ prompt: renderNotePrompt() })).then((written) => {
    if (live.note.window === window) live.note = { ...live.note, ...written };
  });
}

/** Asks and waits for a note, for a compaction that the person wants that way. */
export async function writeNote($: ClientPort, live: Live, wish: string): Promise<string> {
  live.note = { ...live.note, ...(await ask(live, $.model.fork({ prompt: renderNotePrompt(wish) }))) };
  return renderNote(live.note.text);
}

/** What the next record holds: the note if it is there, otherwise the one before it. */
export function joinNote({ note }: Live): string {
  return note.text === "" ? renderNote(note.earlier, { isEarlier: true }) : renderNote(note.text);
}

/** What a note in this record has cost; `undefined` if none was written for it. */
export function describeNote({ note }: Live): { readonly usd?: number } | undefined {
  if (note.text === "") return undefined;
  return note.usd === undefined ? {} : { usd: note.usd };
}

/** The window is over: an answer that is still under way is left out. */
export function endNotes(live: Live): void {
  const { window, isOff } = live.note;
  live.note = { ...NO_NOTE, window: window + 1, earlier: lastNote(live.note), isOff };
}

/** What was rewound may be what a note tells of. */
export function forgetNotes(live: Live): void {
  live.note = { ...NO_NOTE, window: live.note.window + 1, isOff: live.note.isOff };
}

/** The answer's text; empty if there is none. What it cost is noted in any case. */
async function ask(live: Live, asked: Promise<unknown>): Promise<Pick<NoteState, "text" | "usd">> {
  const startMs = performance.now();
  const { window } = live.note;
  const answer = await asked.catch(() => undefined);
  const reply = isObject(answer) ? answer : {};
  const text = reply.isAnswered === true ? textField(reply, "text").trim() : "";
  const isLate = live.note.window !== window;
  const usage = parseUsage(objectField(reply, "usage") ?? {});
  const { model } = live.watch.health();
  const price = priceUsage(usage, model, { atMs: live.nowMs() });
  const sent = sumContextTokens(usage);
  if (sent > 0 && usage.cacheReadTokens < sent * LEAST_CACHED) live.note = { ...live.note, isOff: true };
  live.journal.note("session.compact", {
    kind: "note",
    isJoined: text !== "" && !isLate,
    why: text === "" ? `no answer: ${textField(reply, "reason") || "the client gave none"}` : isLate ? "too late" : "",
    ms: Math.round(performance.now() - startMs),
    usage,
    ...(price && { usd: price.totalUsd }),
  });
  return { text, usd: price?.totalUsd };
}
