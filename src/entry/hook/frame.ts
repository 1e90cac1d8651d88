import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { clipText } from "../../core/clip-text.ts";
import type { JsonObject } from "../../core/json.ts";
import { errorCode } from "../../core/render-failure.ts";
import { type HookEvent, parseHookInput } from "../../hosts/claude-code/hook-input.ts";
import { locateSession } from "../../policy/actions/data-paths.ts";
import type { ActionDetail } from "../../policy/actions/own-action.ts";
import { buildContext, locatePlaces } from "./build-context.ts";
import { HOOKS } from "./catalogue.ts";
import { type HookAnswer, type HookContext, NOTHING } from "./hook.ts";

export interface EventRun {
  readonly text: string;
  readonly folder: string | undefined;
  readonly client: string;
  readonly actions: readonly ActionDetail[];
  /** There was nothing to do: not even the journal gets an entry. */
  readonly isSilent: boolean;
}

const SILENT: EventRun = { text: "", folder: undefined, client: "", actions: [], isSilent: true };

/** Handles one event. Never throws: on any error the client goes on as if there were no hook. */
export async function runEvent(event: string, text: string, env: HookContext["env"]): Promise<EventRun> {
  const input = parseHookInput(event, text);
  if (input === undefined) return failed(undefined, "the event is not a JSON object");
  let context: HookContext | undefined;
  try {
    context = buildContext(input, env, await readInProject(input, env));
    if (!context.settings.isOn) return SILENT;
    const answer = await answerEvent(context);
    return {
      text: renderAnswer(event, answer),
      folder: context.folder,
      client: answer.client ?? "",
      actions: [...(answer.actions ?? []), ...noteUnwritable(context)],
      isSilent: false,
    };
  } catch (error) {
    return failed(context?.folder, error instanceof Error ? error.message : String(error));
  }
}

/** Checks for a file first: most projects have no settings, and then the code to read them is not loaded. */
async function readInProject(input: HookEvent, env: HookContext["env"]): Promise<JsonObject> {
  const places = locatePlaces(input, env);
  if (!existsSync(`${places.project}/.plimsoll/settings.json`)) return {};
  return (await import("./project-layer.ts")).projectLayer(places);
}

async function answerEvent(context: HookContext): Promise<HookAnswer> {
  const { folder, event } = context;
  // The hooks module serves this session. It says so in the environment of the client's process, before the first command hook starts.
  if (context.env.PLIMSOLL_MODULE) {
    return isFirstRefusal(folder)
      ? { actions: [{ kind: "declined", what: "command hooks", why: "the hooks module already handles this session" }] }
      : NOTHING;
  }
  const entry = Object.hasOwn(HOOKS, event) ? HOOKS[event] : undefined;
  if (entry === undefined) throw new Error(`unknown event ${event}`);
  const hook = await entry.load();
  return hook(context);
}

/** Recorded in the journal of the temporary folder, which is used in this case. */
function noteUnwritable({ sessionId, configFolder, folder }: HookContext): readonly ActionDetail[] {
  const wanted = folder === undefined ? locateSession(configFolder, sessionId) : undefined;
  return wanted === undefined ? [] : [{ kind: "declined", what: "the journal", why: `${wanted} cannot be written` }];
}

function failed(folder: string | undefined, why: string): EventRun {
  return { text: "", folder, client: "", actions: [{ kind: "failed", why: why.slice(0, 500) }], isSilent: false };
}

/** True once in a session: for the process that creates the file. */
function isFirstRefusal(folder: string | undefined): boolean {
  if (folder === undefined) return false;
  try {
    closeSync(openSync(join(folder, "declined"), "wx", 0o600));
    return true;
  } catch {
    return false;
  }
}

/** The client cuts or drops longer context. */
const MAX_CONTEXT_CHARACTERS = 10_000;

/** For these events the client rejects an answer that has such output. */
const WITHOUT_OUTPUT: readonly string[] = ["PreCompact", "PostCompact", "SessionEnd"];

export function renderAnswer(event: string, { text = "", output, systemMessage }: HookAnswer): string {
  if (text !== "") return clipText(text, MAX_CONTEXT_CHARACTERS);
  const isAllowed = output !== undefined && Object.keys(output).length > 0 && !WITHOUT_OUTPUT.includes(event);
  const body = {
    ...(systemMessage === undefined ? {} : { systemMessage }),
    ...(isAllowed ? { hookSpecificOutput: { hookEventName: event, ...limit(output) } } : {}),
  };
  return Object.keys(body).length === 0 ? "" : JSON.stringify(body);
}

function limit(output: JsonObject): JsonObject {
  const { additionalContext } = output;
  return typeof additionalContext === "string"
    ? { ...output, additionalContext: clipText(additionalContext, MAX_CONTEXT_CHARACTERS) }
    : output;
}

export const STDOUT = 1;
export const STDERR = 2;
/** A reader that takes nothing gets this long, in steps of 1 ms. */
const MAX_WAITS = 5000;

/** Synchronous, like reading: `process.stdout` is slow to create. A closed reader is no error. */
export function print(handle: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  try {
    let waits = 0;
    for (let from = 0; from < bytes.length && waits < MAX_WAITS; ) {
      const written = writeSome(handle, bytes, from);
      if (written === 0) waits++;
      from += written;
    }
  } catch {
    // The reader has gone.
  }
}

function writeSome(handle: number, bytes: Buffer, from: number): number {
  try {
    return writeSync(handle, bytes, from);
  } catch (error) {
    if (errorCode(error) !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
