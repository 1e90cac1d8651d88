import { clipLine } from "../../../core/clip-text.ts";
import { createArtifactStore } from "../../../files/artifacts/artifacts.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import type { ActionDetail } from "../../../policy/actions/own-action.ts";
import { composeInjections, describeInjection, type Injection } from "../../../policy/injection/compose-injections.ts";
import { createShortener } from "../../../survive/record/summary.ts";
import { nameDropped } from "../../../survive/restore/name-dropped.ts";
import { type RestoreEvent, type RestoreReceipt, stepRestore } from "../../../survive/restore/step-restore.ts";
import { readAftermath } from "../clients/claude-code/client.ts";
import type { Aftermath } from "../clients/contract.ts";
import { type HookAnswer, type HookContext, NOTHING } from "../hook.ts";
import { findModelId } from "../load/read-load.ts";
import { locateTrusted } from "../trusted-file.ts";
import { type FileStep, followRestore, isPending, type RestoreFile, readRestoreFile } from "./restore-file.ts";

/** Events whose context is sent with the next request. */
const TAKES_CONTEXT: readonly string[] = ["SessionStart", "UserPromptSubmit", "PostToolUse"];
/** Events after which the request that an earlier injection was for is over. */
const ENDS_TURN: readonly string[] = ["SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"];
/** Characters that a restore leaves to other messages of the event. */
const MAX_EXTRA_CHARACTERS = 9000;

export interface Landed {
  /** For the model, if the event takes context; may be empty. */
  readonly injection: Injection;
  readonly actions: readonly ActionDetail[];
}

const NOTHING_TO_LAND: Landed = { injection: { what: "restore", why: "", text: "" }, actions: [] };

/** Checks whether what was injected after a compaction has arrived, and gives what has not. An event that takes no context only checks. */
export function landRestore(context: HookContext, maxCharacters: number = MAX_EXTRA_CHARACTERS): Landed {
  const { folder } = context;
  const isDue = folder !== undefined && context.agentId === "" && isPending(readRestoreFile(folder), context.nowMs());
  if (!isDue) return NOTHING_TO_LAND;
  const transcript = locateTrusted(context);
  if (transcript === undefined) return NOTHING_TO_LAND;
  return followRestore(folder, (file) => follow(file, context, transcript, maxCharacters)) ?? NOTHING_TO_LAND;
}

/** `landRestore` for an event that has nothing else to say. */
export function landPending(context: HookContext): HookAnswer {
  const { injection, actions } = landRestore(context);
  if (injection.text === "" && actions.length === 0) return NOTHING;
  const { text, injected } = composeInjections([injection]);
  const model = injected.length > 0 ? findModelId(context) : "";
  return {
    ...(text === "" ? {} : { output: { additionalContext: text } }),
    actions: [...actions, ...injected.map((one) => describeInjection(one, model))],
  };
}

function follow(
  before: RestoreFile,
  context: HookContext,
  transcript: string,
  maxCharacters: number,
): FileStep<Landed> {
  const aftermath = readAftermath(transcript, before.askedSize);
  const actions: ActionDetail[] = [];
  let { restore, isCompared } = before;
  let text = "";
  const step = (event: RestoreEvent): void => {
    const next = stepRestore(restore, event);
    restore = next.state;
    text ||= next.injection;
    if (next.receipt) actions.push(toAction(next.receipt));
  };
  for (const event of listSeen(before, aftermath, context)) step(event);
  isCompared ||= aftermath.hasBoundary;
  if (TAKES_CONTEXT.includes(context.event))
    step({ kind: "offered", event: context.event, atMs: context.nowMs(), maxCharacters });
  const isSame = restore === before.restore && isCompared === before.isCompared;
  const why = `compaction ${restore.compaction}, try ${restore.tries} at ${context.event}`;
  return {
    file: isSame ? before : { ...before, restore, isCompared },
    value: { injection: { what: "restore", why, text }, actions },
  };
}

function listSeen(
  { restore, instruments, isCompared }: RestoreFile,
  aftermath: Aftermath,
  context: HookContext,
): readonly RestoreEvent[] {
  const { given, stage, request } = restore;
  const atMs = context.nowMs();
  const events: RestoreEvent[] = [];
  // For a client without an event at the end of a compaction.
  const { summary, isSealed } = aftermath;
  if ((stage === "asked" || stage === "told") && summary !== "")
    events.push({ kind: "summarised", summary, isSealed, isOver: true, atMs, request, facts: [] });
  if (given) {
    const since = new Set(aftermath.answers.filter((answer) => answer.atMs > given.atMs).map(({ id }) => id));
    // The first answer may still belong to the request before; the second cannot.
    const isOver = since.size > (ENDS_TURN.includes(context.event) ? 0 : 1);
    events.push({ kind: "looked", text: aftermath.contexts, isOver });
  }
  if (!isCompared && aftermath.hasBoundary) {
    const lines = nameDropped(instruments, aftermath.instruments, createShortener(context.project));
    events.push({ kind: "missed", lines: [...lines, ...listKeptOutputs(context, aftermath.summary)] });
  }
  return events;
}

export function toAction(receipt: RestoreReceipt): ActionDetail {
  return { kind: "receipt", ...receipt };
}

/** The newest are named; older ones can be found with `recall`, with `plimsoll artifacts`, or in the folder. */
const MAX_NAMED = 10;
const MAX_COMMAND = 80;

/** Folded outputs of this session that a summary does not name, one line each with file and handle. */
export function listKeptOutputs(context: HookContext, summary: string): readonly string[] {
  const { project, sessionId, nowMs, configFolder } = context;
  if (project === "" || sessionId === "") return [];
  const { artifacts } = createArtifactStore(project, nowMs, locateData(configFolder)).list();
  return artifacts
    .filter((artifact) => artifact.sessionId === sessionId && !summary.includes(artifact.path))
    .slice(-MAX_NAMED)
    .map(
      ({ tool, command, path, handle }) =>
        `- Folded output of ${command === "" ? tool : `\`${clipLine(command, MAX_COMMAND)}\``}, stored in full in ${path} (${handle})`,
    );
}
