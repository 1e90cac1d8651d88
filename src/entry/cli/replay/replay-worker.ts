import { KNOWN_POLICIES } from "./replay-file.ts";
import { answerTasks } from "./replay-threads.ts";

/** Entry point of the threads of `replay-threads.ts`. */
answerTasks(KNOWN_POLICIES);
