import { isObject, type JsonObject, objectField, textField } from "../../core/json.ts";
import { writeJournal } from "../../files/write-journal.ts";
import { locateOwnHome } from "../../hosts/claude-code/disk/projects.ts";
import { findCompleted } from "./clients/codex/find-completed.ts";
import { print, runEvent, STDOUT } from "./frame.ts";
import type { HookContext } from "./hook.ts";
import { readInput } from "./read-input.ts";

/** `node codex.cjs EVENT` with the event's JSON on standard input: the same hooks for Codex, whose answers have other names. Always exits with 0. */
async function main(): Promise<void> {
  const event = process.argv[2] ?? "";
  if (process.env.PLIMSOLL_OFF === "1") return;
  const input: unknown = JSON.parse(readInput());
  if (!isObject(input)) return;
  const { tool_response: _, ...others } = input;
  const response = event === "PostToolUse" ? findResponse(input) : undefined;
  const shaped = response ? { ...others, tool_response: response } : others;
  const { text, folder, client, actions, isSilent } = await runEvent(event, JSON.stringify(shaped), ownEnvironment());
  print(STDOUT, toAnswer(text));
  if (isSilent) return;
  const took = { kind: "ran", ms: Math.round(process.uptime() * 1000) } as const;
  writeJournal(folder, { door: "codex", event, client, actions: [...actions, took] });
}

/** Codex may have been started by Claude Code, whose project and module do not apply here. */
function ownEnvironment(): HookContext["env"] {
  const { CLAUDE_PROJECT_DIR: _project, PLIMSOLL_MODULE: _module, ...others } = process.env;
  return { ...others, CLAUDE_CONFIG_DIR: locateOwnHome(others) };
}

/** Codex passes a text that may be cut, without the exit code: its record has both. */
function findResponse(input: JsonObject): JsonObject | undefined {
  if (input.tool_name !== "Bash") return undefined;
  const ran = findCompleted(textField(input, "transcript_path"), textField(input, "tool_use_id"));
  return ran && { stdout: ran.output, stderr: "", exitCode: ran.exitCode };
}

/** In Codex, blocking a result is the way to replace its text. */
function toAnswer(text: string): string {
  const parsed: unknown = text === "" ? undefined : JSON.parse(text);
  if (!isObject(parsed)) return "";
  const { hookSpecificOutput: _, ...others } = parsed;
  const { updatedToolOutput: updated, ...said } = objectField(parsed, "hookSpecificOutput") ?? {};
  const answer: JsonObject = {
    ...others,
    ...(Object.keys(said).length > 1 ? { hookSpecificOutput: said } : {}),
    ...(typeof updated === "string" ? { decision: "block", reason: updated } : {}),
  };
  return Object.keys(answer).length === 0 ? "" : JSON.stringify(answer);
}

main().catch(() => undefined);
