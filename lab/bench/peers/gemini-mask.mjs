// Gemini CLI's core as installed; the service is not among its package's exports, so it is loaded by its path.
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD,
  DEFAULT_PROTECT_LATEST_TURN,
  DEFAULT_TOOL_PROTECTION_THRESHOLD,
  ToolOutputMaskingService,
} from "./node_modules/@google/gemini-cli-core/dist/src/context/toolOutputMaskingService.js";
import { createToolNames, splitTurns } from "./split-turns.mjs";

/** Tools that it treats in a way of their own. */
const TOOL_NAMES = {
  Bash: "run_shell_command",
  Skill: "activate_skill",
  AskUserQuestion: "ask_user",
  EnterPlanMode: "enter_plan_mode",
  ExitPlanMode: "exit_plan_mode",
};

/** The last line but one of what it puts in a result's place. */
const STORED_AT = /available at: (.+)\n<\/[^\n]+$/;

function createSettings(folder) {
  return {
    getToolOutputMaskingConfig: async () => ({
      protectionThresholdTokens: DEFAULT_TOOL_PROTECTION_THRESHOLD,
      minPrunableThresholdTokens: DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD,
      protectLatestTurn: DEFAULT_PROTECT_LATEST_TURN,
    }),
    getUsageStatisticsEnabled: () => false,
    getSessionId: () => "replay",
    storage: { getProjectTempDir: () => folder },
  };
}

let folders = 0;

/** It masks the history before the new results are added to it, and the chat goes on from the masked one. */
export function create() {
  const tools = createToolNames();
  const folder = path.join(tmpdir(), `plimsoll-peer-${process.pid}-${++folders}`);
  const settings = createSettings(folder);
  const service = new ToolOutputMaskingService();
  let history = [];
  let pending = [];
  return {
    async plan({ joined }) {
      history.push(...pending);
      const contents = splitTurns(joined).map((turn) => renderTurn(turn, tools));
      const arrived = contents.at(-1)?.role === "user" ? contents.splice(contents.findLastIndex(isAnswer) + 1) : [];
      history.push(...contents);
      pending = arrived;
      const before = history;
      const { newHistory } = await service.mask(history, settings);
      if (newHistory === before) return {};
      await rm(folder, { recursive: true, force: true });
      history = newHistory;
      return { cleared: newHistory.flatMap((content, index) => listMasked(before[index], content)) };
    },
  };
}

function listMasked(before, after) {
  if (before === after) return [];
  return after.parts.flatMap((part, index) => {
    if (part === before.parts[index]) return [];
    const text = part.functionResponse.response.output;
    const storedAt = STORED_AT.exec(text)?.[1];
    return [{ block: part.block, text, ...(storedAt === undefined ? {} : { storedAt }) }];
  });
}

const isAnswer = ({ role }) => role === "model";

function renderTurn(turn, tools) {
  if (turn.role === "tool") {
    const results = turn.results.map(({ id, callId, text, isError }) => {
      const tool = tools.of(callId);
      const response = isError ? { error: text } : { output: text };
      return { block: id, functionResponse: { id: callId, name: TOOL_NAMES[tool] ?? tool, response } };
    });
    return { role: "user", parts: [...results, ...turn.riders.map(({ text }) => ({ text }))] };
  }
  tools.learn(turn.blocks);
  return { role: turn.role === "assistant" ? "model" : "user", parts: turn.blocks.map(renderPart) };
}

function renderPart({ kind, callId, tool, input, text }) {
  return kind === "toolCall" ? { functionCall: { id: callId, name: TOOL_NAMES[tool] ?? tool, args: input } } : { text };
}
