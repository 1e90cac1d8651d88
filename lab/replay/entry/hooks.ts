import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { applyEdits } from "../../../src/core/apply-edits.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Block, Message, ToolCallBlock, ToolResultBlock } from "../../../src/core/message.ts";
import { postToolUse } from "../../../src/entry/hook/events/post-tool-use.ts";
import type { HookAnswer, HookContext } from "../../../src/entry/hook/hook.ts";
import type { HookEvent } from "../../../src/hosts/claude-code/hook-input.ts";
import { parseToolOutput } from "../../../src/hosts/claude-code/tool-output.ts";
import { type Original, renderOriginal } from "../../../src/layers/history/originals.ts";
import { DEFAULT_SETTINGS } from "../../../src/policy/settings/settings.ts";
import type { Briefing } from "../../../src/replay/policy.ts";
import { createClientCompaction } from "../client-compaction.ts";
import type { EntryPoint, EntryPointSession } from "../entry-point.ts";

/** The command hooks after every recorded result: they can fold it before it is first sent, and the client does the rest. */
export const hooksEntryPoint: EntryPoint = {
  name: "door:hooks",
  about: "the command hooks of older clients: fold at birth, and leave every compaction to the client",
  open: async (briefing) => openSession(briefing),
};

const SESSION_ID = "00000000-0000-4000-8000-000000000000";

function openSession(briefing: Briefing): EntryPointSession {
  const { details } = briefing.session;
  const client = createClientCompaction(briefing);
  const root = mkdtempSync(path.join(tmpdir(), "plimsoll-replay-"));
  const project = path.join(root, "project");
  const folder = path.join(root, "data");
  for (const each of [project, folder]) mkdirSync(each);
  const calls = new Map<string, ToolCallBlock>();
  let nowMs = 0;
  const about: Omit<HookContext, keyof HookEvent> = {
    nowMs: () => nowMs,
    configFolder: root,
    project,
    pluginRoot: root,
    folder,
    settings: DEFAULT_SETTINGS,
    env: { HOME: root, CLAUDE_PLUGIN_ROOT: root },
  };
  const fire = async ({ tool, input, callId }: ToolCallBlock, response: JsonObject): Promise<HookAnswer> => {
    const raw = { tool_name: tool, tool_use_id: callId, tool_input: input, tool_response: response };
    const transcript = path.join(root, "transcript.jsonl");
    const event = { event: "PostToolUse", sessionId: SESSION_ID, transcript, directory: project, agentId: "", raw };
    return postToolUse({ ...event, ...about });
  };
  let history: readonly Message[] = [];
  let originals: Original[] = [];
  let left: string[] = [];

  const hearResult = async (result: ToolResultBlock): Promise<readonly Block[]> => {
    const call = calls.get(result.callId);
    const detail = details.get(result.callId);
    if (!call || !detail || result.isError) return [result];
    const { output = {}, actions = [] } = await fire(call, detail);
    for (const action of actions) if (action.kind === "declined") left.push(action.why);
    const reported = typeof output.additionalContext === "string" ? output.additionalContext : "";
    const shown = parseToolOutput(call.tool, output.updatedToolOutput)?.text;
    for (const action of actions)
      if (action.kind === "folded") originals.push({ handle: action.handle, text: renderOriginal(result) ?? "" });
    return [
      shown === undefined ? result : { ...result, parts: [{ kind: "text", text: shown }] },
      ...(reported === "" ? [] : [{ kind: "text", id: `${result.id}:told`, text: reported, author: "host" } as const]),
    ];
  };
  const hear = async (message: Message): Promise<Message> => {
    const blocks: Block[] = [];
    for (const block of message.blocks) {
      if (block.kind === "toolCall") calls.set(block.callId, block);
      blocks.push(...(block.kind === "toolResult" ? await hearResult(block) : [block]));
    }
    return blocks.every((block, at) => block === message.blocks[at]) ? message : { ...message, blocks };
  };

  return {
    async plan(occasion) {
      nowMs = occasion.nowMs;
      originals = [];
      left = [];
      const joined: Message[] = [];
      for (const message of occasion.messages.slice(occasion.sentMessages)) joined.push(await hear(message));
      history = [...history, ...joined];
      const tokens = history.reduce((sum, message) => sum + occasion.countTokens(message), 0);
      const own = client.plan({ ...occasion, messages: history, tokens });
      if (own.edits.length > 0) history = applyEdits(history, own.edits, undefined, "mayGo").messages;
      return { ...own, edits: [], view: history, originals, left };
    },
    close: async () => rmSync(root, { recursive: true, force: true }),
  };
}
