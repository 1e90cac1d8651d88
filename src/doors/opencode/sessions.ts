import type { JsonObject } from "../../core/json.ts";
import { parseConversation, type WireMessage } from "../../wire/conversation.ts";
import { type Aboard, board, type Speech } from "../aboard/aboard.ts";
import { recall } from "../aboard/recall.ts";
import { type DecisionsFile, openDecisions } from "./decisions-file.ts";

/** One conversation of OpenCode; a subagent's is another one. */
export interface Session {
  readonly aboard: Aboard;
  readonly file: DecisionsFile;
  /** As it was last sent: what a call gave is found in it. */
  messages: readonly WireMessage[];
}

export interface Sessions {
  open(id: string): Session;
}

/** Sessions as they are met; names have other characters in Plimsoll's own folders. */
export function createSessions(speech: Speech, project: string, configFolder: string): Sessions {
  const sessions = new Map<string, Session>();
  return {
    open(id) {
      const known = sessions.get(id);
      if (known !== undefined) return known;
      const sessionId = id.replaceAll("_", "-");
      const aboard = board({ speech, project, sessionId, environment: process.env, configFolder });
      const session = { aboard, file: openDecisions(configFolder, sessionId), messages: [] };
      sessions.set(id, session);
      return session;
    },
  };
}

/** A tool of OpenCode gives text alone; pictures are named. Throws, in words, where there is nothing. */
export async function fetchBack({ aboard, messages }: Session, input: JsonObject): Promise<string> {
  const answer = await recall(aboard, input, {
    model: "",
    contextTokens: undefined,
    history: () => parseConversation(messages, aboard.speech.format).messages,
  });
  if (answer.isError) throw new Error(answer.words);
  const texts = answer.blocks.map((block) =>
    typeof block === "string" ? block : `[${block.mediaType}, ${block.bytes} bytes]`,
  );
  return texts.join("\n");
}

/** Whatever fails, OpenCode goes on as if nothing had been there. */
export function attempt<Value>(run: () => Value): Value | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
