import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type JsonObject, textField } from "../../../core/json.ts";
import { locateArtifacts } from "../../../files/artifacts/artifact-folder.ts";
import { keepArtifact } from "../../../files/artifacts/keep-artifact.ts";
import { foldOutput } from "../../../fold/fold-output.ts";
import type { HookCall } from "../../../hosts/claude-code/hook-input.ts";
import { interpretCall } from "../../../hosts/claude-code/interpret-call.ts";
import type { ToolOutput } from "../../../hosts/claude-code/tool-output.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import { chooseBirthFold, resultArrived } from "../../../policy/result-arrived.ts";
import { nameWayBack } from "../clients/claude-code/client.ts";
import { type HookAnswer, type HookContext, NOTHING } from "../hook.ts";
import { locateTrusted } from "../trusted-file.ts";
import { noteFold } from "./fold-log.ts";

/** An output that the client cut is in a file; a larger one is left to the client, with its own short preview. */
const MAX_PERSISTED_BYTES = 4 << 20;

/** Of tool output, over all recorded sessions: the journal needs an order of magnitude, and weighing takes time. */
const TOKENS_PER_CHARACTER = 0.36;

/** Stores the original, and only then puts a preview in its place. */
export async function foldResult(context: HookContext, call: HookCall, output: ToolOutput): Promise<HookAnswer> {
  const { tool, callId } = call;
  const { kind } = interpretCall(tool, call.input);
  const { policy, preview: style } = context.settings;
  const rule = { ...chooseBirthFold(policy, "foldOnly"), style };
  const due = resultArrived({ text: output.text, kind }, rule);
  const command = nameCommand(call.input);
  const { calledAs = tool } = output;
  const member = { id: callId, tool: calledAs, command, text: output.text };
  // For an output that the client cut, the shown text is not the whole.
  const isGrouped = due === undefined && context.settings.combinesOutputs && output.persistedPath === "";
  const last = isGrouped
    ? (await import("./join-group.ts")).planInGroup(context, { ...member, kind, window: context.agentId }, rule)
    : undefined;
  if (due === undefined && last === undefined) return NOTHING;
  const original = readOriginal(output, context);
  if (original === undefined) return decline(tool, "the whole output is not available");
  const kept = keepArtifact(
    locateArtifacts(context.project, locateData(context.configFolder)),
    { output: last?.artifact ?? original.bytes, tool, command, sessionId: context.sessionId },
    context.nowMs(),
  );
  if (!kept.ok) return decline(tool, kept.problem.detail);
  const { sha256, handle } = kept.value;
  const isAtHome = context.directory === "" || path.resolve(context.directory) === path.resolve(context.project);
  const quoted = isAtHome ? kept.value.path : path.join(context.project, kept.value.path);
  const hint = { tool: calledAs, command, ...(tool === "Read" ? { path: textField(call.input, "file_path") } : {}) };
  const way = nameWayBack(context);
  const text =
    last?.render({ path: quoted, handle, ...way }) ??
    foldOutput(original.text, hint, { ...due, path: quoted, sha256, ...way }).text;
  // Subagents' results are in transcripts of their own, which are not checked.
  if (context.folder !== undefined && context.agentId === "") noteFold(context.folder, { callId, tool, handle });
  const characters = original.text.length;
  const savedTokens = Math.max(0, Math.round((characters - text.length) * TOKENS_PER_CHARACTER));
  return {
    output: { updatedToolOutput: output.replace(text) },
    actions: [{ kind: "folded", callId, tool, handle, characters, shownCharacters: text.length, savedTokens }],
  };
}

function readOriginal({ text, persistedPath }: ToolOutput, context: HookContext) {
  if (persistedPath === "") return { text, bytes: text };
  const file = locateTrusted(context, persistedPath);
  if (file === undefined || statSync(file).size > MAX_PERSISTED_BYTES) return undefined;
  const bytes = readFileSync(file);
  return { text: bytes.toString("utf8"), bytes };
}

const COMMAND_FIELDS = ["command", "pattern", "url", "query", "file_path", "description"] as const;

function nameCommand(input: JsonObject): string {
  const field = COMMAND_FIELDS.find((name) => textField(input, name) !== "");
  return field === undefined ? "" : textField(input, field);
}

function decline(tool: string, why: string): HookAnswer {
  return { actions: [{ kind: "declined", what: `folding ${tool}`, why }] };
}
