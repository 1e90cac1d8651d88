import { type JsonObject, textField } from "../../core/json.ts";
import { readIgnoreRules } from "../../files/project-reader.ts";
import { decideIgnored } from "../../guard/decide-ignored.ts";
import { READING_TOOLS, SHELL_TOOLS, WORKER_TOOLS } from "../../hosts/claude-code/tool-names.ts";
import { claudeCodeVocabulary, onlyLooks } from "../../hosts/claude-code/vocabulary.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import { called } from "../../policy/steps/called.ts";
import type { ClientPort } from "./client-port.ts";
import type { Live } from "./live.ts";
import { settle } from "./perform.ts";

/** The tools whose calls wait until they are looked at: what may be refused, given more to read, or warned of before it runs. `null` for all. */
export function listHeldTools(settings: Settings): readonly string[] | null {
  if (settings.blocksAtRed) return null;
  const workers = settings.sendsPackets || settings.hasAdvisories ? WORKER_TOOLS : [];
  const commands = settings.hasAdvisories ? SHELL_TOOLS : [];
  return [...(settings.guardsIgnored ? READING_TOOLS : []), ...commands, ...workers];
}

export async function guardCall($: ClientPort, live: Live, e: JsonObject): Promise<string | undefined> {
  return (await findIgnored(live, e)) ?? (await blockAtRed($, live, e));
}

async function findIgnored(live: Live, e: JsonObject): Promise<string | undefined> {
  if (!live.settings.guardsIgnored) return undefined;
  live.ignoreRules ??= await readIgnoreRules(live.files, live.root);
  const tool = textField(e, "tool");
  const why = decideIgnored({ tool, input: e }, live.ignoreRules, { root: live.root, directory: live.root });
  if (why !== undefined) live.journal.note("tool.call", { kind: "blocked", tool, why });
  return why;
}

/** A subagent has a window of its own, which these numbers do not describe. */
async function blockAtRed($: ClientPort, live: Live, e: JsonObject): Promise<string | undefined> {
  if (!live.settings.blocksAtRed || textField(e, "agentId") !== "") return undefined;
  const tool = textField(e, "tool");
  const step = called(
    live.policy,
    {
      tool,
      action: claudeCodeVocabulary.interpretCall(tool, e),
      isLook: onlyLooks(tool),
      health: live.watch.health(),
      project: live.root,
      nowMs: live.nowMs(),
      isOverridden: live.env.PLIMSOLL_NO_BLOCK === "1",
    },
    live.settings,
  );
  const said = await settle($, live, step);
  const why = step.commands.find((command) => command.kind === "refuse")?.why;
  // The result is the only place for text at this moment: a row of its own would separate the call from it.
  return why === undefined || said === "" ? why : `${why}\n${said}`;
}
