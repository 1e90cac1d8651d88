import { numberField, objectField, textField } from "../../../../core/json.ts";
import { sumContextTokens, type Usage } from "../../../../core/usage.ts";
import { parseUsage } from "../../../../hosts/codex/parse-item.ts";
import type { TailLoad } from "../tail-load.ts";
import { parseRolloutLine, type RolloutLine } from "./rollout-lines.ts";

/** Inside a string these would be escaped, so a line without any of them is none of what is looked for. */
const SIGNS = [
  '"type":"token_usage_record"',
  '"type":"token_count"',
  '"type":"compacted"',
  '"type":"turn_context"',
  '"type":"session_meta"',
];

/** In the order of the lines: what was used last behind the last compaction, by whom, and in which client. */
export function findLoad(text: string): TailLoad {
  const compactions: TailLoad["compactions"][number][] = [];
  let found: Pick<TailLoad, "usage" | "stepId"> = { usage: undefined, stepId: "" };
  let [model, version] = ["", ""];
  for (const line of text.split("\n")) {
    const record = SIGNS.some((sign) => line.includes(sign)) ? parseRolloutLine(line) : undefined;
    if (record === undefined) continue;
    const { kind, payload } = record;
    const usage = findUsage(record);
    if (usage) found = { usage, stepId: `${record.atMs}` };
    if (kind === "turn_context") model = textField(payload, "model") || model;
    if (kind === "session_meta") version = textField(payload, "cli_version") || version;
    if (kind !== "compacted") continue;
    // Its own request is told before it, and is no longer what the window holds.
    const preTokens = found.usage && sumContextTokens(found.usage);
    compactions.push({ trigger: "unknown", preTokens });
    found = { usage: undefined, stepId: "" };
  }
  const hasNews = found.usage !== undefined || compactions.length > 0 || model !== "" || version !== "";
  return { ...found, model, version, compactions, hasNews };
}

/** Behind a compaction the client tells a last use of nothing, which is nobody's. */
function findUsage({ kind, payload }: RolloutLine): Usage | undefined {
  const isCount = kind === "token_count";
  if (!isCount && kind !== "token_usage_record") return undefined;
  const raw = isCount
    ? objectField(objectField(payload, "info") ?? {}, "last_token_usage")
    : objectField(payload, "usage");
  return raw && (numberField(raw, "input_tokens") ?? 0) > 0 ? parseUsage(raw) : undefined;
}
