import { call } from "../../api/replies.ts";
import type { AnswerBlock } from "../../api/scenario.ts";

/** The client's tools with paths inside the demo project, so that a script reads like the session. */
export interface DemoTools {
  readonly read: (path: string, range?: ReadRange) => AnswerBlock;
  readonly bash: (command: string, description: string) => AnswerBlock;
  readonly edit: (path: string, old_string: string, new_string: string) => AnswerBlock;
  readonly write: (path: string, content: string) => AnswerBlock;
}

interface ReadRange {
  readonly offset?: number;
  readonly limit: number;
}

export function createDemoTools(cwd: string): DemoTools {
  return {
    read: (path, range = undefined) => call("Read", { file_path: `${cwd}/${path}`, ...range }),
    bash: (command, description) => call("Bash", { command, description }),
    edit: (path, old_string, new_string) => call("Edit", { file_path: `${cwd}/${path}`, old_string, new_string }),
    write: (path, content) => call("Write", { file_path: `${cwd}/${path}`, content }),
  };
}

/** The demo project's `npm test`, without npm: it would ask its registry for news of itself. */
export function testCommand(files = "test/*.test.ts"): string {
  return `node --import tsx --test --test-reporter=spec ${files}`;
}

export const REPORT_COMMAND = "node --import tsx scripts/report.ts 2026-03";
