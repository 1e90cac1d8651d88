import { rmSync } from "node:fs";
import path from "node:path";
import { HOSTS } from "../../../hosts/catalogue.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import { type Command, defineCommand, type Invocation, type Terminal } from "../command.ts";
import { AGENT_NAMES } from "../install/agents/catalogue.ts";
import { handleAgent } from "../install/agents/handle-agent.ts";
import {
  type AppliedChange,
  applyChanges,
  describeChanges,
  renderBackups,
  renderChanges,
  settleChanges,
} from "../install/apply-changes.ts";
import { askFirst, refuseUnconfirmed } from "../install/confirm.ts";
import { forgetEngineNode } from "../install/engine-node.ts";
import { CLIENT_OPTION } from "../install/find-client.ts";
import { writeRecord } from "../install/installation-record.ts";
import { findOwnFiles, type OwnFiles, removeOwnFiles, renderOwnFiles } from "../install/own-files.ts";
import { planUninstallation, type Uninstallation } from "../install/plan-uninstallation.ts";
import { unregisterPlugins } from "../install/register-plugins.ts";
import { joinLines, renderSafely } from "../print/style.ts";

export const uninstallCommand: Command = defineCommand({
  name: "uninstall",
  summary: "Removes Plimsoll from Claude Code or another agent, and deletes Plimsoll's data in your home folder",
  options: {
    keep: { help: "keep what Plimsoll stored: originals, indexes, budgets, its settings, backups of your settings" },
    agent: {
      value: "AGENT",
      help: "remove Plimsoll from this agent instead of Claude Code",
      choices: AGENT_NAMES,
      formerly: { names: ["host"] },
    },
    ...CLIENT_OPTION,
    yes: { help: "do not ask for confirmation" },
    "dry-run": { help: "show what would change, but change nothing" },
  },
  formerOptions: {
    scope:
      "leave it out to remove Plimsoll everywhere; for one project only, run claude plugin uninstall plimsoll@plimsoll --scope project there",
  },
  examples: {
    "plimsoll uninstall --dry-run": "shows every line that would be removed",
    "plimsoll uninstall --yes": "restores your settings; keeps each project's .plimsoll/ folder",
    "plimsoll uninstall --keep --yes": "removes Plimsoll, but keeps the data that Plimsoll stored",
    "plimsoll uninstall --agent codex --yes":
      "removes Plimsoll from Codex's config.toml, and deletes Plimsoll's data unless another agent still uses it",
  },
  async run(invocation, terminal) {
    const handled = await handleAgent("uninstall", invocation, terminal);
    if (handled) return handled;
    const plan = await planUninstallation(invocation, terminal);
    const find = () => findOwnFiles(terminal, HOSTS[0].name, invocation.flags.has("keep"));
    const data = find();
    const task = { plan, data, find };
    const outcome = await carryOut(task, invocation, terminal);
    const { status, applied, unregistered = null } = outcome;
    const files = describeChanges(status === "uninstalled" ? applied : plan.changes);
    return {
      json: { status, files, unregistered, data },
      text: () => render(task, outcome),
      failure: refuseUnconfirmed(status, "uninstall"),
    };
  },
});

interface Outcome {
  readonly status: "uninstalled" | "nothing" | "planned" | "unconfirmed";
  readonly applied: readonly AppliedChange[];
  readonly unregistered?: string | undefined;
}

interface Task {
  readonly plan: Uninstallation;
  readonly data: OwnFiles;
  find(): OwnFiles;
}

async function carryOut(task: Task, { flags }: Invocation, terminal: Terminal): Promise<Outcome> {
  const { plan, data } = task;
  const { client, registry } = plan;
  const needsClient = client !== undefined && (registry.plugins.length > 0 || registry.root !== undefined);
  if (plan.changes.length === 0 && !data.isRemoved && !needsClient) return { status: "nothing", applied: [] };
  const status = await askFirst(() => renderPlan(task), "Uninstall?", { flags, terminal });
  if (status !== "agreed") return { status, applied: [] };
  const applied = applyChanges(plan.changes, terminal);
  const unregistered = needsClient
    ? await unregisterPlugins({ client, terminal, registry }, !data.isRemoved)
    : undefined;
  settleChanges(applied);
  // Also the copies that were made just now.
  if (data.isRemoved) removeOwnFiles(task.find(), terminal);
  else forget(plan);
  return { status: "uninstalled", applied, unregistered };
}

/** Deletes the records and copies that installing made. */
function forget({ places, record, changes }: Uninstallation): void {
  rmSync(path.join(locateData(places.configFolder), "package"), { recursive: true, force: true });
  forgetEngineNode(places.configFolder);
  if (record.files.length === 0) return;
  const files = record.files.filter((file) => !changes.some((change) => change.path === file.path));
  writeRecord(places.configFolder, { ...record, files });
}

function render(task: Task, { status, applied, unregistered }: Outcome): string {
  const { plan, data } = task;
  if (status === "nothing")
    return joinLines("Plimsoll is not installed here: nothing to change.", renderOwnFiles(data, true));
  if (status === "planned") return joinLines(renderPlan(task), "", "Nothing was changed.");
  if (status === "unconfirmed") return renderPlan(task);
  return joinLines(
    "Plimsoll is uninstalled. Restart the sessions that are running.",
    !data.isRemoved && renderBackups(applied),
    unregistered && `The agent could not unregister Plimsoll: ${renderSafely(unregistered)}`,
    renderOwnFiles(data, true),
    ...plan.registry.projects.map(
      (folder) =>
        `It is still switched on in ${renderSafely(folder)}: run claude plugin uninstall plimsoll@plimsoll --scope project there.`,
    ),
    "Each project's .plimsoll/ stays, because it belongs to the project.",
  );
}

function renderPlan({ plan, data }: Task): string {
  const changes = plan.changes.length > 0 ? renderChanges(plan.changes) : "No settings to change.";
  return joinLines(changes, renderOwnFiles(data, false));
}
