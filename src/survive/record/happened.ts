import type { SessionState } from "../../session/session.ts";
import type { TrailState } from "./trail.ts";

/** The next action. `action` is one line and names a file, a command or the person's own words; never "continue working". */
export interface NextStep {
  readonly kind: "prompt" | "waiting" | "failure" | "announced" | "task" | "question" | "nothing" | "unknown";
  readonly action: string;
  /** The call or request that shows it. */
  readonly evidence: string;
}

export interface Happened {
  readonly state: SessionState;
  readonly trail: TrailState;
}
