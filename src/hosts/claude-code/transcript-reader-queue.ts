import { isObject, type JsonObject, listField, textField, timeField } from "../../core/json.ts";
import { decidePromptAuthor } from "./prompt-author.ts";

export interface QueuedPrompt {
  readonly text: string;
  /** When the client last moved it. */
  readonly atMs: number | undefined;
}

export interface ReaderQueueState {
  readonly waiting: readonly QueuedPrompt[];
  /** Taken out for the model, and not yet followed by a line of the conversation. */
  readonly taken: readonly QueuedPrompt[];
}

/** People do not type more ahead; a longer queue has lost its ends. */
const MAX_WAITING = 100;

export type ReaderQueue = ReturnType<typeof createReaderQueue>;

/**
 * What became of the prompts in the client's queue. Up to client 2.1.91 this is the only place where one that was delivered
 * in the middle of a turn is written down. Of 813 recorded operations each means one thing:
 *
 * - `remove`: delivered with the next request; newer clients write a `queued_command` attachment next to it;
 * - `dequeue`: the turn is over, and it follows as an ordinary prompt;
 * - `popAll`: back into the input field, one line for each.
 *
 * The person's prompts leave before notices of the client, whatever their order; only `popAll`, and `remove` of newer clients, say which.
 */
export function createReaderQueue(saved: ReaderQueueState = { waiting: [], taken: [] }) {
  let { waiting, taken } = saved;

  const take = (atMs: number | undefined, named: string): void => {
    const next = waiting.find(({ text }) => (named === "" ? !isCommand(text) : text === named));
    waiting = waiting.filter((prompt) => prompt !== next);
    // A command is for the client, in the middle of a turn as well.
    if (next && !isCommand(next.text)) taken = [...taken, { text: next.text, atMs }];
  };

  const drop = (isMeant: (prompt: QueuedPrompt) => boolean): void => {
    const meant = [...taken, ...waiting].find(isMeant);
    taken = taken.filter((prompt) => prompt !== meant);
    waiting = waiting.filter((prompt) => prompt !== meant);
  };

  return {
    follow(operation: JsonObject): void {
      const text = readText(operation);
      const atMs = timeField(operation, "timestamp");
      switch (operation.operation) {
        case "enqueue":
          if (text !== undefined) waiting = [...waiting, { text, atMs }].slice(-MAX_WAITING);
          break;
        case "remove":
          if (text !== undefined) take(atMs, text);
          break;
        case "dequeue":
          // No answer came in between, so what was just taken out were the client's own notices, which end with the turn.
          waiting = [...taken, ...waiting];
          taken = [];
          if (text !== undefined) drop((prompt) => text === "" || prompt.text === text);
          break;
        case "popAll":
          if (text === "") waiting = [];
          else drop((prompt) => prompt.text === text);
          break;
      }
    },
    /** Another line contains these words, alone or in a frame, so they are not repeated. */
    discard: (delivered: string): void => drop(({ text }) => isDeliveredBy(delivered, text)),
    /** What was delivered, now that the conversation goes on; each once. */
    release(): readonly QueuedPrompt[] {
      const delivered = taken.filter(({ text }) => text !== "");
      taken = [];
      return delivered;
    },
    save: (): ReaderQueueState => ({ waiting, taken }),
  };
}

/** The person's words, empty if the operation does not contain them; `undefined` for the client's own notices. */
function readText(operation: JsonObject): string | undefined {
  const blocks = listField(operation, "content").filter(isObject);
  const texts = blocks.length > 0 ? blocks.map((block) => textField(block, "text")) : [textField(operation, "content")];
  // Some clients queue their background tasks' events as JSON, for programs that watch them.
  const own = texts.filter((text) => decidePromptAuthor(text) === "person" && !text.startsWith('{"task_id":'));
  return own.length === 0 ? undefined : own.join("\n").trim();
}

function isCommand(text: string): boolean {
  return text.startsWith("/");
}

/** Frames keep the words on lines of their own. */
function isDeliveredBy(delivered: string, text: string): boolean {
  return text !== "" && (delivered.trim() === text || `\n${delivered}\n`.includes(`\n${text}\n`));
}
