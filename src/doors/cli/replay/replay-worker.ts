import { KNOWN_POLICIES } from "./known-policies.ts";
import { answerTasks } from "./replay-threads.ts";

/** One of the threads of `replay-threads.ts`. */
answerTasks(KNOWN_POLICIES);
