import type { SessionEvent } from "../../src/core/event.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { createSession } from "../../src/session/session.ts";
import type { Happened } from "../../src/survive/record/continuation.ts";
import { createTrail } from "../../src/survive/record/trail.ts";
import { answer, called, prompt, result, said } from "./session-events.ts";

/**
 * A session told in the order it happened:
 *
 *     story().asks("fix it").calls("Edit", { file_path: "/p/a.ts" }, "updated").says("Done.").happened()
 */
export interface Story {
  asks(text: string): Story;
  says(text: string): Story;
  /** A call with its result; without one it still runs. */
  calls(tool: string, input: JsonObject, text?: string, options?: CallOptions): Story;
  events(): readonly SessionEvent[];
  happened(): Happened;
}

interface CallOptions {
  readonly isError?: boolean;
  readonly callId?: string;
  /** What the host tells of the result beyond its text. */
  readonly detail?: JsonObject;
}

export function story(happenings: readonly SessionEvent[] = []): Story {
  const add = (...events: readonly SessionEvent[]): Story => story([...happenings, ...events]);
  const request = happenings.filter(({ kind }) => kind === "output").length + 1;
  return {
    asks: (text) => add(prompt(text)),
    says: (text) => add(answer(`s${request}`, undefined, [said(text)])),
    calls(tool, input, text, { isError = false, callId = `toolu_0000c${request}`, detail } = {}) {
      const call = answer(`s${request}`, undefined, [called(tool, callId, input)]);
      return text === undefined ? add(call) : add(call, { ...result(tool, callId, text, { isError }), detail });
    },
    events: () => happenings,
    happened: () => happen(happenings),
  };
}

export function happen(events: readonly SessionEvent[]): Happened {
  const session = createSession(claudeCodeVocabulary);
  const trail = createTrail(claudeCodeVocabulary);
  for (const event of events) {
    session.feed(event);
    trail.feed(event);
  }
  return { state: session.state(), trail: trail.state() };
}
