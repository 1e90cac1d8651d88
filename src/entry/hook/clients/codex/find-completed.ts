import { realpathSync } from "node:fs";
import { numberField, objectField, parseObject, textField } from "../../../../core/json.ts";
import { readTail } from "../../../../files/read-tail.ts";

/** The command has just ended, so its record is among the last. */
const MAX_BYTES = 16 << 20;

/** A call's exit code and output in Codex's record of the session; `undefined` if it is not there. Never throws on data. */
export function findCompleted(
  file: string,
  callId: string,
): { readonly exitCode: number; readonly output: string } | undefined {
  if (file === "" || callId === "") return undefined;
  const lines = readTail(realpathSync(file), MAX_BYTES).bytes.toString("utf8").split("\n");
  for (const line of lines.reverse()) {
    if (!line.includes('"CommandExecution"') || !line.includes(JSON.stringify(callId))) continue;
    const item = parseItem(line);
    if (!item || item.id !== callId) continue;
    const exitCode = numberField(item, "exit_code");
    return exitCode === undefined || typeof item.aggregated_output !== "string"
      ? undefined
      : { exitCode, output: item.aggregated_output };
  }
  return undefined;
}

function parseItem(line: string) {
  const payload = objectField(parseObject(line), "payload");
  const item = payload && textField(payload, "type") === "item_completed" ? objectField(payload, "item") : undefined;
  return item && textField(item, "type") === "CommandExecution" ? item : undefined;
}
