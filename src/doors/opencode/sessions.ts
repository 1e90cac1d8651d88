import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Edit } from "../../core/edit.ts";
import type { JsonObject } from "../../core/json.ts";
import { readPlainFile, writeAtomically } from "../../files/private-files.ts";
import { locateSession } from "../../policy/deeds/data-paths.ts";
import { recall } from "../../survive/recall/recall.ts";
import { parseConversation, type WireMessage } from "../../wire/conversation.ts";
import { type Aboard, board, createAboardPort, type Speech } from "../aboard/aboard.ts";
import { parseItems } from "../gateway/store/parse-stored.ts";

/** One conversation of OpenCode; a subagent has its own. */
export interface ChatSession {
  readonly aboard: Aboard;
  readonly file: DecisionsFile;
  /** As last sent; the results of calls are looked up here. */
  messages: readonly WireMessage[];
}

export interface Sessions {
  open(id: string): ChatSession;
}

/** Opens sessions on first use. Underscores of their ids become hyphens in the names of Plimsoll's own folders. */
export function createSessionsById(speech: Speech, project: string, configFolder: string): Sessions {
  const sessions = new Map<string, ChatSession>();
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

/** A tool of OpenCode returns text only, so pictures are named. Throws with a message if there is nothing. */
export async function fetchBack({ aboard, messages }: ChatSession, input: JsonObject): Promise<string> {
  const history = () => parseConversation(messages, aboard.speech.format).messages;
  const answer = await recall(input, createAboardPort(aboard, { model: "", contextTokens: undefined, history }));
  if (answer.isError) throw new Error(answer.words);
  const texts = answer.blocks.map((block) =>
    typeof block === "string" ? block : `[${block.mediaType}, ${block.bytes} bytes]`,
  );
  return texts.join("\n");
}

/** If anything fails, OpenCode continues as if we were not there. */
export function attemptQuietly<Value>(run: () => Value): Value | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** A long session has hundreds of decisions of a few thousand characters each. */
const MAX_BYTES = 64 << 20;

/** The decisions about a session, in Plimsoll's own data because OpenCode has no place for them. */
interface DecisionsFile {
  readonly decisions: readonly Edit[];
  /** Throws if it cannot be written: then nothing may be decided. */
  add(edits: readonly Edit[]): void;
}

function openDecisions(configFolder: string, sessionId: string): DecisionsFile {
  const folder = locateSession(configFolder, sessionId.replaceAll("_", "-"));
  const file = folder === undefined ? undefined : path.join(folder, "decisions.json");
  let decisions = file === undefined ? [] : read(file);
  return {
    get decisions() {
      return decisions;
    },
    add(edits) {
      if (folder === undefined || file === undefined) throw new Error(`not a valid session id: ${sessionId}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const next = [...decisions, ...edits];
      writeAtomically(file, JSON.stringify(next));
      decisions = next;
    },
  };
}

function read(file: string): readonly Edit[] {
  try {
    const items = parseItems(JSON.parse(readPlainFile(file, MAX_BYTES)?.text || "[]")) ?? [];
    return items.flatMap((item) => (item.kind === "recalled" ? [] : [item]));
  } catch {
    return [];
  }
}
