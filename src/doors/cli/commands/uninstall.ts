import { type Dirent, existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { findColdFiles, removeColdFiles } from "../../../files/cold-files.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import { planClearSummaries, planResetState } from "../../../survive/cold-tasks/plan-cold-maintenance.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, EXIT_FAILURE, type Invocation, type Terminal } from "../command.ts";
import { AGENT_NAMES } from "../install/agents/catalogue.ts";
import { handleAgent } from "../install/agents/handle-agent.ts";
import { type AppliedChange, applyChanges, settleChanges } from "../install/apply-changes.ts";
import { canAsk, confirm } from "../install/confirm.ts";
import { CLIENT_OPTION } from "../install/find-client.ts";
import { writeRecord } from "../install/installation-record.ts";
import { planUninstallation, type Uninstallation } from "../install/plan-uninstallation.ts";
import { unregisterPlugins } from "../install/register-plugins.ts";
import { describeChanges, renderBackups, renderChanges } from "../install/render-changes.ts";
import { renderJson } from "../render-json.ts";
import { renderSafely } from "../style.ts";

export const uninstallCommand: Command = {
  name: "uninstall",
  summary: "Take Plimsoll out of Claude Code or another agent again: what install added, nothing else",
  options: [
    { name: "scope", value: "SCOPE", help: "where it was installed", choices: ["user", "project"] },
    { name: "purge", help: "also remove what live sessions have recorded below the client's folder" },
    { name: "host", value: "AGENT", help: "out of another agent than Claude Code", choices: AGENT_NAMES },
    CLIENT_OPTION,
    { name: "yes", help: "do not ask" },
    { name: "dry-run", help: "show what would change, and change nothing" },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll uninstall --dry-run", shows: "every line that would go" },
    { command: "plimsoll uninstall --yes", shows: "settings as they were; .plimsoll/ and recorded sessions stay" },
    {
      command: "plimsoll uninstall --host codex --yes",
      shows: "Codex's config.toml without Plimsoll, the rest as it was",
    },
    { command: "plimsoll uninstall --purge --dry-run", shows: "how much the recorded sessions take" },
  ],
  async run(invocation, terminal) {
    if (await handleAgent("uninstall", invocation, terminal)) return;
    const plan = await planUninstallation(invocation, terminal);
    const data = describeData(plan, invocation, terminal);
    const outcome = await carryOut({ plan, data }, invocation, terminal);
    const view = { plan, data, outcome };
    terminal.print(invocation.flags.has("json") ? renderJson(describe(view)) : render(view));
    if (outcome.status === "unconfirmed")
      throw new CliError("nothing was changed: run it again with --yes to uninstall", EXIT_FAILURE);
  },
};

interface Data {
  readonly folder: string;
  /** Summaries of cold tasks, which lie in folders of their own. */
  readonly cold: readonly string[];
  readonly bytes: number;
  readonly files: number;
  readonly isPurged: boolean;
}

function describeData({ places }: Uninstallation, { flags }: Invocation, { environment }: Terminal): Data {
  const folder = locateData(places.configFolder);
  const found = findColdFiles(places.configFolder, environment.HOME);
  const cold = flags.has("purge") ? [...planClearSummaries(found), ...planResetState(found)] : [];
  const isPurged = flags.has("purge") && (existsSync(folder) || cold.length > 0);
  return { folder, cold, ...measureFolder(folder), isPurged };
}

interface Outcome {
  readonly status: "uninstalled" | "nothing" | "planned" | "unconfirmed";
  readonly applied: readonly AppliedChange[];
  readonly unregistered?: string | undefined;
}

interface Task {
  readonly plan: Uninstallation;
  readonly data: Data;
}

async function carryOut(task: Task, { flags }: Invocation, terminal: Terminal): Promise<Outcome> {
  const { plan, data } = task;
  const { client, scope, registry, hasMarketplace } = plan;
  const needsClient =
    client !== undefined && (registry.plugins.length > 0 || (hasMarketplace && registry.root !== undefined));
  if (plan.changes.length === 0 && !data.isPurged && !needsClient) return { status: "nothing", applied: [] };
  if (flags.has("dry-run")) return { status: "planned", applied: [] };
  if (!flags.has("yes") && !(await isWanted(task, flags, terminal))) return { status: "unconfirmed", applied: [] };
  const applied = applyChanges(plan.changes, terminal);
  const unregistered = needsClient
    ? await unregisterPlugins({ client, terminal, scope, registry }, hasMarketplace)
    : undefined;
  settleChanges(applied);
  forget(plan, data);
  return { status: "uninstalled", applied, unregistered };
}

async function isWanted(task: Task, flags: ReadonlySet<string>, terminal: Terminal): Promise<boolean> {
  if (flags.has("json") || !canAsk(terminal)) return false;
  terminal.remark(`${renderPlan(task)}\n\n`);
  return confirm("Uninstall?", terminal);
}

/** What installing remembered and copied goes with it; recorded sessions only when asked. */
function forget({ places, record, changes, hasMarketplace }: Uninstallation, { folder, cold, isPurged }: Data): void {
  removeColdFiles(cold);
  if (isPurged) rmSync(folder, { recursive: true, force: true });
  else if (hasMarketplace) rmSync(path.join(folder, "package"), { recursive: true, force: true });
  if (isPurged || record.files.length === 0) return;
  const files = record.files.flatMap((file) => {
    if (!changes.some((change) => change.path === file.path)) return [file];
    // A part of ours is still in it: what was made for it is to go with it, some other day.
    return hasMarketplace || file.path !== places.user ? [] : [{ ...file, isTouched: true }];
  });
  writeRecord(places.configFolder, { ...record, files });
}

interface View extends Task {
  readonly outcome: Outcome;
}

function describe({ plan, data, outcome }: View) {
  const { status, applied, unregistered } = outcome;
  return {
    status,
    scope: plan.scope,
    files: describeChanges(status === "uninstalled" ? applied : plan.changes),
    unregistered: unregistered ?? null,
    data,
    notes: plan.notes,
  };
}

function render({ plan, data, outcome }: View): string {
  const { status, applied, unregistered } = outcome;
  if (status === "nothing")
    return ["Plimsoll is not installed here: nothing to change.", ...renderData(data)].join("\n");
  if (status === "planned") return [renderPlan({ plan, data }), "", "Nothing was changed."].join("\n");
  if (status === "unconfirmed") return renderPlan({ plan, data });
  return [
    "Plimsoll is uninstalled. Sessions that are running keep it until they end.",
    ...renderBackups(applied),
    ...(unregistered === undefined ? [] : [`The client could not be told: ${renderSafely(unregistered)}`]),
    ...plan.notes,
    ...(data.isPurged ? [`${data.folder} is removed.`] : renderData(data)),
  ].join("\n");
}

function renderPlan({ plan, data }: Task): string {
  return [
    ...(plan.changes.length > 0 ? [renderChanges(plan.changes)] : ["No settings to change."]),
    ...plan.notes,
    ...(data.isPurged ? [`${data.folder} would be removed: ${renderSize(data)}`] : []),
  ].join("\n");
}

function renderData(data: Data): readonly string[] {
  const kept = existsSync(path.join(data.folder, "sessions"))
    ? [`Recorded sessions stay in ${data.folder} (${renderSize(data)}): --purge removes them.`]
    : [];
  return [...kept, "Each project's .plimsoll/ stays: it is the project's."];
}

function renderSize({ bytes, files }: Data): string {
  return `${files} ${files === 1 ? "file" : "files"}, ${(bytes / 1e6).toFixed(1)} MB`;
}

interface FolderSize {
  readonly files: number;
  readonly bytes: number;
}

/** What lies below a folder; a link counts as itself, and what cannot be read counts as nothing. */
function measureFolder(folder: string): FolderSize {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return { files: 0, bytes: 0 };
  }
  let [files, bytes] = [0, 0];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    const size = entry.isDirectory()
      ? measureFolder(file)
      : { files: 1, bytes: lstatSync(file, { throwIfNoEntry: false })?.size ?? 0 };
    files += size.files;
    bytes += size.bytes;
  }
  return { files, bytes };
}
