import { writeSync } from "node:fs";
import type { JsonObject } from "../../core/json.ts";
import { isObject, objectField, textField } from "../../core/json-fields.ts";
import { type CompletedCommand, findCompleted } from "./codex-command.ts";
import { runEvent } from "./frame.ts";
import { writeJournal } from "./journal.ts";
import { readInput } from "./read-input.ts";

/**
 * `node codex.cjs EVENT` with the event's JSON on standard input: the same hook for Codex, whose outputs are plain texts and whose
 * answers have other names. Ends with 0 whatever happens.
 */
async function main(): Promise<void> {
  const event = process.argv[2] ?? "";
  if (process.env.PLIMSOLL_OFF === "1") return;
  const input: unknown = JSON.parse(readInput());
  if (!isObject(input) || input.tool_name !== "Bash" || typeof input.tool_response !== "string") return;
  // Codex leaves the exit code out of what it tells: without it the model would not know how the command ended.
  const ran = findCompleted(textField(input, "transcript_path"), textField(input, "tool_use_id"));
  if (!ran) return;
  const shaped = { ...input, tool_response: { stdout: ran.output, stderr: "" } };
  // The plugin's server knows nothing of the project in Codex, so that no tool of it is named.
  const { CLAUDE_PLUGIN_ROOT: _, ...environment } = process.env;
  const { text, folder, client, deeds, isSilent } = await runEvent(event, JSON.stringify(shaped), environment);
  const answer = toAnswer(text, ran);
  if (answer !== "") writeSync(1, answer);
  if (!isSilent) writeJournal(folder, { event, client, atMs: Date.now(), deeds });
}

/** A blocked result is how Codex puts another text in the place of one. The model reads it as its output, so the first line says how the command ended. */
function toAnswer(text: string, { exitCode }: CompletedCommand): string {
  const told: unknown = text === "" ? undefined : JSON.parse(text);
  const said = isObject(told) ? objectField(told, "hookSpecificOutput") : undefined;
  const updated = said && objectField(said, "updatedToolOutput");
  if (!updated) return "";
  const opening = `The command ended with exit code ${exitCode}. Its output is long, so that this is a shorter view of it:`;
  const answer: JsonObject = { decision: "block", reason: `${opening}\n${textField(updated, "stdout")}` };
  return JSON.stringify(answer);
}

main().catch(() => undefined);
