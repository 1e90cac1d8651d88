import type { SessionState } from "../../session/session.ts";
import type { TrailState } from "./trail.ts";

/** The next action. `action` is one line and names a file, a command or the user's own words; never "continue working". */
export interface NextStep {
  /** "nothing" is proved by the record; "ended" only says that nothing open was named. */
  readonly kind: "prompt" | "waiting" | "failure" | "announced" | "task" | "question" | "nothing" | "ended" | "unknown";
  readonly action: string;
  /** The call or request that shows it. */
  readonly evidence: string;
}

export interface Happened {
  readonly state: SessionState;
  readonly trail: TrailState;
}
