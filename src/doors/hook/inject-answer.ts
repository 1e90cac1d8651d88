import { readProjectState } from "../../files/project-state.ts";
import { describeWork } from "../../policy/advice/describe-work.ts";
import { recommendOperations } from "../../policy/advice/recommend-operations.ts";
import { renderHealthReport } from "../../policy/advice/render-health-report.ts";
import type { Injection } from "../../policy/injection/injection.ts";
import { parseLog } from "../../survive/project-state/entry-log.ts";
import { assessLoad } from "./assess-load.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { openSessionData } from "./session-data.ts";

/** The person asks about the window: the model is given the figures instead of guessing them. */
export function answerAboutContext(input: HookInput, context: HookContext): Injection {
  const { health } = assessLoad(input, context);
  const happened = openSessionData(input, context)?.happened();
  const saved = parseLog(readProjectState(context.project).texts["decisions.md"] ?? "").entries.length;
  const report = renderHealthReport(health, { critical: { ...describeWork(happened), decisionsSaved: saved } });
  const operations = recommendOperations({
    level: health.level,
    compactions: health.compactions,
    unsavedDecisions: Math.max(0, (happened?.state.decided.decisions.length ?? 0) - saved),
    hasLargeFiles: health.hasLargeFiles,
    isNextUnrelated: false,
  });
  const text = [
    "The user asks about the context window. Measured now:",
    report,
    ...operations.map((operation) => `- ${operation.text}`),
  ].join("\n");
  return { what: "advisory", why: "asked about the context", text };
}
