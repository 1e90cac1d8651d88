import type { JsonObject } from "../core/json.ts";
import { objectField, textField } from "../hosts/claude-code/json-fields.ts";
import { decidePromptAuthor } from "../hosts/claude-code/prompt-author.ts";
import { parseRow, type Row } from "../hosts/claude-code/row-reader.ts";
import { POLICY_SETTINGS } from "../layers/options/policy-settings.ts";
import { checkRepair, readUsage } from "./compact.ts";
import type { Engine, Next } from "./engine.ts";
import { foldRow } from "./fold-row.ts";
import type { Live } from "./live.ts";
import { showStatus } from "./status.ts";
import { steer } from "./steer.ts";
import { forgetTold, tellAtLevel, tellAtPrompt } from "./tell.ts";

/** Calls that wait for their result. */
const MAX_INPUTS = 200;

type AppendNext = Next<JsonObject, unknown>;

/** One row on its way into the conversation: folded if it is a large result, followed, and the line set by what it weighs. */
export async function followRow($: Engine, live: Live, e: JsonObject, next: AppendNext): Promise<unknown> {
  const row = parseRow(e);
  if (row === undefined) return next(e);
  const isMain = row.agentId === undefined;
  if (isMain && row.door === "tool-result") await measure($, live);
  const folded =
    row.door === "tool-result" && live.settings.isFolding
      ? await foldRow(row, doorOf($, live), POLICY_SETTINGS[live.settings.policy].fold)
      : undefined;
  const stored = folded ? { ...e, message: { ...objectField(e, "message"), content: folded.message.content } } : e;
  const result = await next(stored);
  for (const deed of folded?.deeds ?? []) {
    live.journal.note("session.append", deed);
    if (deed.kind !== "folded") continue;
    live.totals.folds++;
    live.totals.savedTokens += deed.savedTokens;
  }
  if (!isMain) return result;
  if (row.message.name === "compact_boundary") forgetTold(live);
  // What happened is told by the whole result, not by what is left of it in the window.
  if (!live.watch.row(row, Date.now(), folded?.message)) return result;
  live.screen.saw(row.uuid);
  await react($, live, row);
  return result;
}

async function react($: Engine, live: Live, row: Row): Promise<void> {
  const isPrompt = row.door === "prompt" && row.message.isMeta !== true;
  if (!isPrompt && row.door !== "tool-result") return;
  const prompt = isPrompt ? readPrompt(row) : "";
  if (prompt !== "") await tellAtPrompt($, live, prompt);
  live.lastWhy = await steer($, live, { nowMs: Date.now(), isPrompt: prompt !== "" });
  showStatus($, live);
  if (!isPrompt) await tellAtLevel($, live, live.watch.health().level);
}

/** The person's own words; empty for a notice that comes as a prompt. */
function readPrompt({ message }: Row): string {
  const text = message.content.map((block) => textField(block, "text")).join("\n");
  return decidePromptAuthor(text) === "person" ? text : "";
}

/** What the last response was answered over; costs nothing, the engine has it. */
export async function measure($: Engine, live: Live): Promise<void> {
  const [usage, model] = await Promise.all([$.session.usage(), $.session.model()]);
  const tokens = readUsage(usage);
  if (tokens === undefined) return;
  live.watch.measured(tokens, model, Date.now());
  await checkRepair($, live);
}

/** A call that is about to run: remembered for the fold of its result. */
export function noteCall(live: Live, callId: string, input: JsonObject): void {
  live.inputs.set(callId, input);
  const [oldest] = live.inputs.keys();
  if (live.inputs.size > MAX_INPUTS && oldest !== undefined) live.inputs.delete(oldest);
}

function doorOf($: Engine, live: Live): Parameters<typeof foldRow>[1] {
  return {
    keep: (original) =>
      live.shelf.keep(original).catch((error) => {
        live.journal.note("session.append", {
          kind: "declined",
          what: "fold",
          why: `the original could not be kept: ${String(error)}`,
        });
        return undefined;
      }),
    // Named in a text that anybody may have written: only where the client itself puts such outputs of this session.
    readPersisted: (path) =>
      path.startsWith(live.toolResults) && !path.includes("..")
        ? $.fs.read(path).catch(() => undefined)
        : Promise.resolve(undefined),
    inputOf: (callId) => live.inputs.get(callId) ?? {},
  };
}
