import path from "node:path";
import type { JsonObject } from "../../src/core/json.ts";
import { isObject } from "../../src/core/json.ts";
import { renderResultText } from "../../src/core/message.ts";
import { CliError } from "../../src/entry/cli/command.ts";
import { estimateTextTokens } from "../../src/models/tokens.ts";
import { type Memory, type MemoryPlan, makeMemory } from "./make-memory.ts";
import { assignLetters } from "./quiz/blind-letters.ts";
import { followUntil } from "./quiz/follow-until.ts";
import { renderNext, renderPast } from "./quiz/render-past.ts";
import { openReadingFolder, type ReadingFolder, SESSION_FILE } from "./reading-folder.ts";
import type { RecordedPast } from "./recorded-past.ts";

/** A memory that is to be made, under the name that it is told by. */
export interface NamedPlan extends MemoryPlan {
  readonly name: string;
}

export interface MadeMemory {
  readonly name: string;
  /** By the tokenizer of the session's model. */
  readonly tokens: number;
  /** Why there is none; empty where there is. */
  readonly why: string;
}

/** The folder of one session: what was, what came next, and what each policy would have left of it. */
export function makeReading(past: RecordedPast, plans: readonly NamedPlan[], directory: string): readonly MadeMemory[] {
  const folder = openReadingFolder(path.join(directory, past.name));
  const { session, cut } = past;
  const known = folder.readJson(SESSION_FILE);
  if (known && known.cut !== cut.step)
    throw new CliError(
      `${folder.path} was cut elsewhere, before request ${String(known.cut)}: make it in another folder`,
    );
  const full = renderPast(session, cut.step);
  folder.writeText("full.txt", full);
  folder.writeText("next.txt", renderNext(session, cut.step));
  const made = plans.map((plan): MadeMemory => {
    const memory = makeMemory(past, plan);
    if ("why" in memory) return { name: plan.name, tokens: 0, why: memory.why };
    keepMemory(folder, plan.name, memory);
    return { name: plan.name, tokens: weigh(memory.text, past), why: "" };
  });
  const before: JsonObject = isObject(known?.memories) ? known.memories : {};
  const memories = { ...before, ...Object.fromEntries(made.map(({ name, ...rest }) => [name, rest])) };
  keepCalls(folder, past);
  folder.writeJson(SESSION_FILE, {
    format: 1,
    name: past.name,
    model: session.steps[cut.step]?.model ?? "",
    requests: session.steps.length,
    cut: cut.step,
    compactedAt: cut.compactedAt ?? null,
    brokenLines: past.brokenLines,
    fullTokens: weigh(full, past),
    memories,
  });
  return made;
}

function weigh(text: string, { session }: RecordedPast): number {
  return Math.round(estimateTextTokens(text, session.tokenizer));
}

/** Written next to its originals, and under a letter for those who must not know whose it is. */
function keepMemory(folder: ReadingFolder, name: string, { text, originals }: Memory): void {
  const key: Record<string, string> = {};
  for (const [letter, known] of Object.entries(folder.readJson("key.json") ?? {}))
    if (typeof known === "string") key[letter] = known;
  const letters = assignLetters(folder.name, key, [name]);
  const letter = Object.keys(letters).find((each) => letters[each] === name) ?? "";
  const file = `memories/${name}.txt`;
  const isAnswered = folder.list("answers").some((reader) => folder.has(`answers/${reader}/${letter}.json`));
  if (isAnswered && folder.readText(file) !== text)
    throw new CliError(
      `${folder.path}/${file} has been answered, and would be another text now: keep it, and make this one under another --name`,
    );
  folder.writeText(file, text);
  folder.writeText(`blind/${letter}.txt`, text);
  folder.writeJson("key.json", letters);
  // By content: whoever kept a text under a handle, it is the same text.
  const kept = folder.readJson("originals.json") ?? {};
  const named = new Set(Object.keys(kept));
  const fresh = originals.filter(({ handle }) => !named.has(handle));
  folder.writeJson("originals.json", {
    ...kept,
    ...Object.fromEntries(fresh.map((original) => [original.handle, original.text])),
  });
}

/** The calls before the cut with their results, for handles that name a call. */
function keepCalls(folder: ReadingFolder, { session, cut, recorded }: RecordedPast): void {
  const stepId = recorded.recording.steps[cut.step]?.id ?? "";
  const { calls } = followUntil(recorded.events, stepId, recorded.host.vocabulary).trail;
  const blocks = session.steps.slice(0, cut.step + 1).flatMap(({ joined }) => joined.flatMap(({ blocks: all }) => all));
  const results = blocks.flatMap((block) =>
    block.kind === "toolResult" ? [[block.callId, renderResultText(block)] as const] : [],
  );
  folder.writeJson("calls.json", { calls, results: Object.fromEntries(results) });
}
