import type { Message, ToolCallBlock, ToolResultBlock } from "../../core/message.ts";
import type { Exchange } from "./exchanges.ts";

/** A call with its result; either may be missing. */
export interface CallRecord {
  readonly call: ToolCallBlock | undefined;
  readonly result: ToolResultBlock | undefined;
  readonly exchange: number;
  /** Index of the message with the result, or with the call if there is no result. */
  readonly message: number;
}

/** Every call and result in call order; ids are matched only within an exchange. */
export function listCalls(messages: readonly Message[], exchanges: readonly Exchange[]): readonly CallRecord[] {
  const records: CallRecord[] = [];
  for (const [exchange, { first, last }] of exchanges.entries()) {
    const open = new Map<string, number>();
    for (let message = first; message <= last; message++) {
      for (const block of messages[message]?.blocks ?? []) {
        if (block.kind === "toolCall") {
          open.set(block.callId, records.length);
          records.push({ call: block, result: undefined, exchange, message });
        }
        if (block.kind !== "toolResult") continue;
        const at = open.get(block.callId);
        const known = at === undefined ? undefined : records[at];
        if (at !== undefined && known) records[at] = { ...known, result: block, message };
        else records.push({ call: undefined, result: block, exchange, message });
        open.delete(block.callId);
      }
    }
  }
  return records;
}
