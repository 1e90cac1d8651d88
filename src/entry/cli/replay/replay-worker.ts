import { answerTasks, KNOWN_POLICIES } from "./replay-file.ts";

/** Entry point of the threads of `replay-file.ts`. */
answerTasks(KNOWN_POLICIES);
