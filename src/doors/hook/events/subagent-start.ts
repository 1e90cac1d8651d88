import { type Hook, NOTHING } from "../hook.ts";

/** That it ran is all the journal wants to know: a subagent has a window of its own, and nothing of ours goes into it. */
export const subagentStart: Hook = () => NOTHING;
