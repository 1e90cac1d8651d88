import path from "node:path";
import { isObject, type JsonObject } from "../../core/json.ts";
import { writeAtomically } from "../../files/private-files.ts";
import { readObject } from "../../files/read-regular-file.ts";
import type { MeterState } from "../../measure/meter.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
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
