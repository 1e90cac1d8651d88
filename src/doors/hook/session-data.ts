import path from "node:path";
import { isObject, type JsonObject, textField } from "../../core/json.ts";
import { writeAtomically } from "../../files/private-files.ts";
import { readObject } from "../../files/read-regular-file.ts";
import { parseHookCall } from "../../hosts/claude-code/hook-input.ts";
import { parseToolOutput } from "../../hosts/claude-code/tool-output.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import type { MeterState } from "../../measure/meter.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { createSession } from "../../session/session.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { type FollowedState, followSession } from "./clients/claude-code/client.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { locateTrusted } from "./trusted-file.ts";

/** What a session has come to, read up to the end that its transcript had when it was opened. */
export interface SessionData {
  happened(): Happened;
  meter(): MeterState;
  /** Bytes of the transcript that were there to read. */
  readonly transcriptSize: number;
  /** The client's version, as the transcript tells it; empty where it does not. */
  readonly version: string;
  /** Remembers all of it with the place in the transcript, so that the next to open reads only what is new. */
  save(): void;
}

/** Written with it: a file of another layout is not read, and the transcript is read from its beginning. */
const FORMAT = 2;

/** What `state.json` holds. */
interface SavedData extends FollowedState {
  readonly format: typeof FORMAT;
}

/** What is saved grows by the call; nobody asks for older ones one by one. */
const MAX_SAVED_CALLS = 4000;

/** `undefined` where there is no transcript that may be read. */
export function openSessionData(input: HookInput, context: HookContext): SessionData | undefined {
  const file = locateTrusted(input.transcript, context);
  if (file === undefined) return undefined;
  const stateFile = context.folder === undefined ? undefined : path.join(context.folder, SESSION_FILES.state);
  const saved = stateFile === undefined ? undefined : parseSaved(readObject(stateFile));
  const { state, size } = followSession(file, saved);
  const { session, trail, meter, version } = state;
  return {
    happened: () => ({ state: session, trail }),
    meter: () => meter,
    transcriptSize: size,
    version,
    save() {
      if (stateFile === undefined) return;
      const kept = { ...trail, calls: trail.calls.slice(-MAX_SAVED_CALLS) };
      const data: SavedData = { format: FORMAT, ...state, trail: kept };
      writeAtomically(stateFile, JSON.stringify(data));
    },
  };
}

/** Our own file in a private folder: its parts are looked at once, their insides by whoever goes on from them. */
function parseSaved(value: JsonObject | undefined): SavedData | undefined {
  return isSaved(value) ? value : undefined;
}

function isSaved(value: unknown): value is SavedData {
  return (
    isObject(value) &&
    value.format === FORMAT &&
    typeof value.version === "string" &&
    [value.cursor, value.reader, value.session, value.trail, value.meter].every(isObject)
  );
}

/** With the result that the event itself tells: the client runs a hook before it writes the result into the transcript. */
export function hearResult({ state, trail }: Happened, { raw }: HookInput): Happened {
  const { callId, tool, response } = parseHookCall(raw);
  if (callId === "" || response === undefined) return { state, trail };
  const output = parseToolOutput(tool, response);
  const detail = isObject(response) ? response : undefined;
  const stderr = detail ? textField(detail, "stderr") : "";
  const text = [output?.text ?? "", stderr].filter((part) => part !== "").join("\n");
  const session = createSession(claudeCodeVocabulary, state);
  session.feed({
    kind: "arrival",
    origin: "",
    atMs: undefined,
    source: "toolResult",
    label: tool,
    role: "user",
    block: { kind: "toolResult", id: callId, callId, parts: [{ kind: "text", text }], isError: false },
    detail,
  });
  return { state: session.state(), trail };
}
