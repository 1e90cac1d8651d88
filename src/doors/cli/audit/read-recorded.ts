import { sumContextTokens } from "../../../core/usage.ts";
import { decideModelWindow, type ModelWindow } from "../../../models/model-window.ts";
import { type Tokenizer, tokenizerOf } from "../../../models/tokens.ts";
import {
  findRepeatedInjections,
  mergeRepeated,
  type RepeatedInjection,
} from "../../../recorded/audit/find-repeated-injections.ts";
import { type FirstRequest, findFirstRequest } from "../../../recorded/audit/first-request.ts";
import { type Month, selectMonth } from "../../../recorded/audit/price-carry.ts";
import { collectUsage } from "../collect-usage.ts";
import type { Terminal } from "../command.ts";
import { collectInjections, type InjectionReport } from "../injections.ts";
import { countToolUse, type ToolUse } from "./count-tool-use.ts";
import { listAuditedSessions, readSessions } from "./read-sessions.ts";

/** What the records of a project say: how its sessions start, what they ask for, call, and are told again and again. */
export interface Recorded {
  /** Of the newest sessions, newest first. */
  readonly firsts: readonly (FirstRequest & { readonly session: string })[];
  /** Empty where nothing is recorded. */
  readonly model: string;
  readonly tokenizer: Tokenizer;
  readonly window: ModelWindow;
  readonly month: Month;
  readonly use: ToolUse;
  readonly repeated: readonly RepeatedInjection[];
  /** What Plimsoll itself put in. */
  readonly injections: InjectionReport;
}

export async function readRecorded(project: string, terminal: Terminal): Promise<Recorded> {
  const files = listAuditedSessions(project, terminal);
  const read = readSessions(files);
  const firsts = read.flatMap(({ id, session }) => {
    const first = findFirstRequest(session.recording);
    return first ? [{ session: id, ...first }] : [];
  });
  const scanned = files.length === 0 ? [] : (await collectUsage(files, terminal)).scanned;
  const steps = scanned.flatMap(({ ownSteps }) => ownSteps.filter(({ isSidechain }) => !isSidechain));
  const model = firsts[0]?.model ?? steps[0]?.model ?? "";
  const largest = steps.reduce((most, { usage }) => Math.max(most, sumContextTokens(usage)), 0);
  return {
    firsts,
    model,
    // Without a record the newer tokenizers are assumed: they make more of the same text.
    tokenizer: model === "" ? "dense" : tokenizerOf(model),
    window: decideModelWindow(model, { largestContextTokens: largest }),
    month: selectMonth(steps),
    use: countToolUse(files),
    repeated: mergeRepeated(read.map(({ session }) => findRepeatedInjections(session.recording))),
    injections: collectInjections(files, terminal),
  };
}
