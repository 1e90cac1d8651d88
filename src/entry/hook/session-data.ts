import path from "node:path";
import { isObject, textField } from "../../core/json.ts";
import type { ColdSession } from "../../files/cold-tasks.ts";
import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { writeAtomically } from "../../files/private-files.ts";
import { readObject } from "../../files/read-regular-file.ts";
import { parseHookCall } from "../../hosts/claude-code/hook-input.ts";
import { parseToolOutput } from "../../hosts/claude-code/tool-output.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { assessHealth } from "../../measure/health.ts";
import type { MeterState } from "../../measure/meter.ts";
import { SESSION_FILES } from "../../policy/actions/data-paths.ts";
import { createSession } from "../../session/session.ts";
import { locateColdHome } from "../../survive/cold-tasks/cold-paths.ts";
import { type ColdMoment, measureColdMoment } from "../../survive/cold-tasks/is-look-due.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { type FollowedState, followSession } from "./clients/claude-code/client.ts";
import type { HookContext } from "./hook.ts";
import { readLineSettings } from "./status/read-line-settings.ts";
import { locateTrusted } from "./trusted-file.ts";

export interface SessionData {
  happened(): Happened;
  meter(): MeterState;
  readonly transcriptSize: number;
  /** The client's version in the transcript; empty if there is none. */
  readonly version: string;
  /** Saves the state with the place in the transcript, so that the next run reads only what is new. */
  save(): void;
}

/** A file of another layout is ignored, and the transcript is read from its beginning. */
const FORMAT = 2;

interface SavedData extends FollowedState {
  readonly format: typeof FORMAT;
}

/** The state grows with every call, and older calls are not needed one by one. */
const MAX_SAVED_CALLS = 4000;

/** `undefined` if there is no transcript that may be read. */
export function openSessionData(context: HookContext): SessionData | undefined {
  const file = locateTrusted(context);
  if (file === undefined) return undefined;
  const stateFile = context.folder === undefined ? undefined : path.join(context.folder, SESSION_FILES.state);
  const saved: unknown = stateFile === undefined ? undefined : readObject(stateFile);
  const { state, size } = followSession(file, isSaved(saved) ? saved : undefined);
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

/** Our own file in a private folder: only its parts are checked here, their contents by the code that uses them. */
function isSaved(value: unknown): value is SavedData {
  return (
    isObject(value) &&
    value.format === FORMAT &&
    typeof value.version === "string" &&
    [value.cursor, value.reader, value.session, value.trail, value.meter].every(isObject)
  );
}

/** Adds the event's own result: the client runs a hook before it writes the result into the transcript. */
export function hearResult({ state, trail }: Happened, { raw }: HookContext): Happened {
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

export function coldSessionOf({ sessionId, configFolder, env, nowMs }: HookContext): ColdSession {
  return { store: nodeProjectFiles, home: locateColdHome(configFolder, env.HOME), sessionId, nowMs: nowMs() };
}

export function measureCold(data: SessionData, context: HookContext): ColdMoment {
  return measureColdMoment(
    assessHealth(data.meter(), { profile: context.settings.profile, settings: readLineSettings(context) }),
  );
}
