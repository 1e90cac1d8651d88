import type { WorkStatus } from "../action.ts";

/** A stretch of work on one thing that the person asked for: what there is where nobody keeps a task list. */
export interface Episode {
  readonly id: string;
  /** What the person asked for that began it, word for word but cut. */
  readonly firstAsked: string;
  readonly status: WorkStatus;
  /** The call or request that proves the status. */
  readonly evidence: string;
  readonly startRequest: number;
  readonly endRequest: number;
  readonly files: readonly string[];
  readonly commits: readonly string[];
  /** Follow-up prompts that stayed within it. */
  readonly followUps: number;
  /** How the model closed it, last words of its last answer. */
  readonly closing: string;
  /** The request at which the person last spoke within it, and what they said, cut. */
  readonly askedRequest: number;
  readonly lastAsked: string;
  /** When a file was last changed, and when changes were last committed; 0 for never. */
  readonly changedRequest: number;
  readonly committedRequest: number;
  readonly isInterrupted: boolean;
  /** When the model last began to answer; `undefined` where the host does not say. */
  readonly spokenAtMs: number | undefined;
  /** The person told of something broken, and no answer since has settled it. */
  readonly hasTrouble: boolean;
  /** The person wants something delivered in the end, and no call has done so. */
  readonly hasGoal: boolean;
  /** The last test run within it failed. */
  readonly hasFailingTest: boolean;
}
