import type { Scenario } from "../../api/scenario.ts";
import { actDocument, actLock, DOCUMENT_PROMPT, LOCK_PROMPT } from "./demo-closing-acts.ts";
import { actRefund, REFUND_PROMPT } from "./demo-refund-acts.ts";
import { actCorrection, actReport, CORRECTION_PROMPT, findRefundAccount, REPORT_PROMPT } from "./demo-report-acts.ts";
import { actStatement, STATEMENT_PROMPT } from "./demo-statement-acts.ts";
import { createDemoTools } from "./demo-tools.ts";

export interface DemoPrompt {
  readonly words: string;
  /** How long the person takes before it: to read, to think, to have lunch. */
  readonly pauseMinutes: number;
}

/** What the person types. The break before the fourth prompt outlives the prompt cache. */
export const DEMO_PROMPTS: readonly DemoPrompt[] = [
  { words: REFUND_PROMPT, pauseMinutes: 0 },
  { words: "/rename Refunds off by a cent", pauseMinutes: 0 },
  { words: REPORT_PROMPT, pauseMinutes: 2 },
  { words: CORRECTION_PROMPT, pauseMinutes: 2 },
  { words: STATEMENT_PROMPT, pauseMinutes: 34 },
  { words: LOCK_PROMPT, pauseMinutes: 3 },
  { words: DOCUMENT_PROMPT, pauseMinutes: 2 },
];

/** What the model says and does in the demo session. The edits are real: tests fail and pass because of them. */
export function renderDemoScript(cwd: string): Pick<Scenario, "main" | "subagents"> {
  const tools = createDemoTools(cwd);
  const acts = [actRefund, actReport, actCorrection, actStatement, actLock, actDocument];
  return { main: acts.flatMap((act) => act(tools)), subagents: [findRefundAccount(tools)] };
}
