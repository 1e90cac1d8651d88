import type { ApiRequest } from "../../test/api/api-request.ts";
import type { Arm, ReadingWay } from "./arms.ts";
import type { SolvedTask } from "./task.ts";

/** What a worker is told: the same for all, and one paragraph about what its arm can read back. */
export function renderTask({ prompt }: SolvedTask, arm: Arm, request: ApiRequest): string {
  return [
    "# Your work",
    "You go on with work that was begun in a conversation. `context.md` is what you have of it; its last message is the one that you answer now. Read it first, all of it. The repository is `repo/`, as the work so far left it.",
    "Rules:\n- Change files below `repo/` only. Do not read anything outside of this folder.\n- Tools and programs that the conversation mentions are not there, unless this file names them.\n- Nobody can be asked. Where you are not sure, decide, and go on.\n- When you are done, write `report.md` here: what you did, and what you were not sure of, in at most 15 lines.",
    ...renderReadBack(arm, request),
    `The message that you answer:\n\n> ${prompt}`,
    "",
  ].join("\n\n");
}

function renderReadBack({ readsBack }: Arm, { body }: ApiRequest): readonly string[] {
  const tool = body.tools.find(({ name }) => String(name).endsWith("__recall"));
  const words = typeof tool?.description === "string" ? `\n\n${tool.description}` : "";
  const said: Readonly<Record<ReadingWay, string>> = {
    recall: `The tool \`recall\` that the conversation names is a command here: \`./recall HANDLE...\`, with \`--page N\`, \`--lines FROM-TO\` or \`--pattern WORDS\` as its parameters. Its description:${words}`,
    transcript:
      "The transcript file that the conversation names is read with `./transcript grep PATTERN` (lines that match, with their numbers) and `./transcript lines FROM-TO`. Read it in no other way.",
  };
  return readsBack.map((way) => said[way]);
}
