import { type JsonObject, textField } from "../../core/json.ts";
import { planLast } from "../../fold/fold-group.ts";
import { foldOutput } from "../../fold/fold-output.ts";
import { isRecall } from "../../layers/history/is-recall.ts";
import { estimateTextTokens } from "../../models/tokens.ts";
import { groupArrived } from "../../policy/group-outputs.ts";
import { chooseBirthFold, resultArrived } from "../../policy/result-arrived.ts";
import type { AgentSession } from "./agent-session.ts";

/** The result of a call that has only text and is not an error. */
export interface ArrivedResult {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly text: string;
}

/** What replaces a result from its first request on; `undefined` if it stays as it is. */
export function foldArrived(
  agentSession: AgentSession,
  { callId, tool, input, text }: ArrivedResult,
): string | undefined {
  const { settings, speech, store, totals } = agentSession;
  if (!settings.isFolding || isRecall(tool, input)) return undefined;
  const rule = { ...chooseBirthFold(settings.policy, "collapsing"), style: settings.preview };
  const { kind } = speech.vocabulary.interpretCall(tool, input);
  const due = resultArrived({ text, kind }, rule);
  const command = textField(input, "command");
  const output = { id: callId, tool, command: command || textField(input, "pattern"), text };
  const last = due || !settings.combinesOutputs ? undefined : joinGroup();
  if (due === undefined && last === undefined) return undefined;
  // Store first: what cannot be stored stays where it is.
  const kept = store.keep({ output: last?.artifact ?? text, tool, command });
  if (kept === undefined) return undefined;
  const { recallTool } = speech;
  const { readTool } = speech.vocabulary;
  const folded =
    last?.render({ ...kept, readTool }) ??
    foldOutput(text, { tool, command }, { ...kept, ...due, readTool, recallTool }).text;
  totals.folds++;
  totals.savedTokens += Math.round(estimateTextTokens(text, "dense") - estimateTextTokens(folded, "dense"));
  return folded;

  function joinGroup() {
    const { groups, due: members } = groupArrived(agentSession.groups, { ...output, kind, window: "" }, rule);
    agentSession.groups = groups;
    return members && planLast(members, output);
  }
}
