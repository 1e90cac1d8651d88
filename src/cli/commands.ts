import type { Command } from "./command.ts";
import { healthCommand } from "./health.ts";
import { inspectCommand } from "./inspect.ts";
import { nowCommand } from "./now.ts";
import { statsCommand } from "./stats.ts";

/** Every command there is: the one list that dispatch, help and tests read. */
export const COMMANDS: readonly Command[] = [nowCommand, healthCommand, inspectCommand, statsCommand];
