import path from "node:path";
import { countField, isObject, listField, textField, textListField } from "../../../core/json.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { readNotes } from "../../../files/project-reader.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import type { ReportedLimit } from "../../../measure/describe-limits.ts";
import { locateData, locateSpareHome, SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import { isAboutContext } from "../../../policy/advice/is-about-context.ts";
import type { PolicyCommand, PolicyStep } from "../../../policy/command.ts";
import type { PolicyState } from "../../../policy/policy-state.ts";
import { parseLimits } from "../../../policy/rules/rate-limits.ts";
import { said } from "../../../policy/steps/said.ts";
import { parseLog } from "../../../survive/project-state/entry-log.ts";
import { decidePromptAuthor } from "../clients/claude-code/client.ts";
import { type Hook, type HookContext, NOTHING } from "../hook.ts";
import { assessLoad } from "../load/assess-load.ts";
import { findModelId } from "../load/read-load.ts";
import { openProject, readHere } from "../read-project.ts";
import { landRestore } from "../restore/restore.ts";
import { openSessionData } from "../session-data.ts";
import { askPolicy } from "../settle-step.ts";

/** Handles a prompt. Notifications of background work come as prompts, too, although the person has said nothing. */
export const userPromptSubmit: Hook = async (context) => {
  if (context.agentId !== "") return NOTHING;
  const words = textField(context.raw, "prompt");
  const landed = landRestore(context);
  // Only a report of the load needs to know what is saved.
  const texts = isAboutContext(words) ? (await readNotes(openProject(context), context.project)).texts : {};
  const given = {
    prompt: decidePromptAuthor(words) === "person" ? words : "",
    surroundings: await readHere(context),
    limits: readLimits(context.folder),
    first: [landed.injection],
    health: () => assessLoad(context),
    happened: () => openSessionData(context)?.happened(),
    savedDecisions: () => parseLog(texts["decisions.md"] ?? "").entries.length,
    baseTokens: () => openSessionData(context)?.meter().baseTokens,
    model: () => findModelId(context),
  };
  const ask = async (before: PolicyState): Promise<PolicyStep> => {
    const { state, commands } = said(before, given, context.settings);
    return { state, commands: [...commands, ...(await followBudget(context))] };
  };
  return askPolicy(context, ask, landed.actions);
};

/** Checking reads all sessions, so not more often than this. */
const BUDGET_PAUSE_MS = 60_000;

/** Shows which budgets have passed 80 or 100 % since the last prompt, each once a session, and starts a new check, for the next prompt, that nothing waits for. */
async function followBudget({ configFolder, folder, nowMs, env }: HookContext): Promise<readonly PolicyCommand[]> {
  const data = locateData(configFolder);
  const earlier = locateData(locateSpareHome(env));
  const plan = readObject(path.join(data, "budget.json")) ?? readObject(path.join(earlier, "budget.json"));
  if (plan === undefined || folder === undefined) return [];
  const spent = readObject(path.join(data, "spent.json")) ?? {};
  const file = path.join(folder, SESSION_FILES.budget);
  const shownMs = countField(readObject(file) ?? {}, "shownMs");
  const [node, ...program] = textListField(plan, "program");
  if (node !== undefined && program.length > 0 && nowMs() - countField(spent, "atMs") > BUDGET_PAUSE_MS) {
    const { spawn } = await import("node:child_process");
    spawn(node, [...program, "budget", "--check"], { detached: true, stdio: "ignore" })
      .once("error", () => undefined)
      .unref();
  }
  writeAtomically(file, `{"shownMs":${nowMs()}}\n`);
  const passed = listField(spent, "alerts").filter(isObject);
  // What was passed before this session began was shown in another one.
  return passed
    .filter((alert) => shownMs > 0 && countField(alert, "atMs") > shownMs)
    .map((alert) => ({ kind: "warn", text: textField(alert, "text") }));
}

/** The account's limits as the client last reported them; empty if it does not, for instance with an API key. */
function readLimits(folder: string | undefined): readonly ReportedLimit[] {
  const reading = folder === undefined ? undefined : readObject(path.join(folder, SESSION_FILES.reading));
  return reading === undefined ? [] : parseLimits(reading);
}
