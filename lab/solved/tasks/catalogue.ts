import type { SolvedTask } from "../task.ts";
import { adapters } from "./adapters.ts";
import { bugHunt } from "./bug-hunt.ts";
import { data } from "./data.ts";
import { migration } from "./migration.ts";
import { refactoring } from "./refactoring.ts";
import { review } from "./review.ts";

export const TASKS: readonly SolvedTask[] = [adapters, migration, bugHunt, data, refactoring, review];
