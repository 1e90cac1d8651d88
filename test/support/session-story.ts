import type { Arrival, SessionEvent } from "../../src/core/event.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Block } from "../../src/core/message.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { createSession, type SessionState } from "../../src/session/session.ts";
import { answer, called, compacted, prompt, result, said } from "./session-events.ts";

/**
 * Sessions that read like one:
 *
 *     follow(asks("fix the login"), runs("npm test", "1 failed", { exitCode: 1 }), says("Done."))
 *
 * Every beat of the model is a request of its own, except inside `together`.
 */
export type Beat =
  | { readonly kind: "person"; readonly arrival: Arrival }
  | { readonly kind: "model"; readonly parts: readonly Part[] }
  | { readonly kind: "event"; readonly event: SessionEvent };

interface Part {
  readonly text?: string;
  readonly tool?: string;
  readonly input?: JsonObject;
  readonly answer?: Answer;
}

interface Answer {
  readonly text: string;
  readonly isError?: boolean;
  readonly detail?: JsonObject;
}

interface AnswerOptions {
  readonly isError?: boolean;
  readonly detail?: JsonObject;
}

export function asks(text: string): Beat {
  return { kind: "person", arrival: prompt(text) };
}

/** What the client writes when the person breaks off. */
export function interrupts(): Beat {
  return hostSays("[Request interrupted by user]");
}

export function hostSays(text: string): Beat {
  const { block, ...answered } = prompt(text);
  return {
    kind: "person",
    arrival: { ...answered, block: block.kind === "text" ? { ...block, author: "host" } : block },
  };
}

export function says(text: string): Beat {
  return { kind: "model", parts: [{ text }] };
}

/** A call and its result; without an answer it stays open. */
export function calls(tool: string, input: JsonObject, text?: string, options: AnswerOptions = {}): Beat {
  return { kind: "model", parts: [{ tool, input, ...(text !== undefined && { answer: { text, ...options } }) }] };
}

export function runs(command: string, output = "", { exitCode = 0 }: { readonly exitCode?: number } = {}): Beat {
  const text = exitCode === 0 ? output : `Exit code ${exitCode}\n${output}`;
  return calls("Bash", { command }, text, { isError: exitCode !== 0 });
}

export function edits(path: string): Beat {
  return calls("Edit", { file_path: path, old_string: "a", new_string: "b" }, "The file has been updated.");
}

export function together(...beats: readonly Beat[]): Beat {
  return { kind: "model", parts: beats.flatMap((beat) => (beat.kind === "model" ? beat.parts : [])) };
}

export function compacts(): Beat {
  return { kind: "event", event: compacted() };
}

/** So many requests in which nothing happens that matters. */
export function passes(requests: number): readonly Beat[] {
  return Array.from({ length: requests }, (_, index) => says(`Looking further, part ${index}.\n\nNothing yet.`));
}

export function toEvents(...beats: readonly Beat[]): readonly SessionEvent[] {
  return beats.flatMap((beat, index): readonly SessionEvent[] => {
    if (beat.kind === "event") return [beat.event];
    if (beat.kind === "person") return [beat.arrival];
    const ids = beat.parts.map((_, order) => `call-${index}-${order}`);
    const blocks = beat.parts.map(
      (part, order): Block =>
        part.tool === undefined ? said(part.text ?? "") : called(part.tool, ids[order] ?? "", part.input ?? {}),
    );
    const results = beat.parts.flatMap(({ tool, answer: answered }, order) =>
      tool === undefined || answered === undefined
        ? []
        : [
            {
              ...result(tool, ids[order] ?? "", answered.text, { isError: answered.isError ?? false }),
              detail: answered.detail,
            },
          ],
    );
    return [answer(`step-${index}`, undefined, blocks), ...results];
  });
}

export function follow(...beats: readonly Beat[]): SessionState {
  return followEvents(toEvents(...beats));
}

export function followEvents(events: readonly SessionEvent[], saved?: SessionState): SessionState {
  const session = createSession(claudeCodeVocabulary, saved);
  for (const event of events) session.feed(event);
  return session.state();
}
