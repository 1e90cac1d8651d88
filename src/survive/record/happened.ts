import type { SessionState } from "../../session/session.ts";
import type { TrailState } from "./trail.ts";

/** The next action. `action` is one line and names a file, a command or the person's own words; never "continue working". */
export interface NextStep {
  /** "nothing" is shown by what was recorded; "ended" says no more than that nobody named anything that is open. */
  readonly kind: "prompt" | "waiting" | "failure" | "announced" | "task" | "question" | "nothing" | "ended" | "unknown";
  readonly action: string;
  /** The call or request that shows it. */
  readonly evidence: string;
}

export interface Happened {
  readonly state: SessionState;
  readonly trail: TrailState;
}
