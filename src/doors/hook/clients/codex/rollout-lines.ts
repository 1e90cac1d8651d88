import { isObject, type JsonObject, objectField, parseJson, textField, timeField } from "../../../../core/json.ts";

/** A record of a rollout: its kind, where events are told by their own. */
export interface RolloutLine {
  readonly kind: string;
  readonly atMs: number;
  readonly payload: JsonObject;
}

export function parseRolloutLine(text: string): RolloutLine | undefined {
  // No JSON where it is cut off, or still being written.
  const line = parseJson(text);
  const payload = isObject(line) ? objectField(line, "payload") : undefined;
  if (!isObject(line) || payload === undefined) return undefined;
  const type = textField(line, "type");
  const kind = type === "event_msg" || type === "response_item" ? textField(payload, "type") : type;
  return { kind, atMs: timeField(line, "timestamp") ?? 0, payload };
}
