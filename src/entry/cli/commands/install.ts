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
import { CACHE_LIFE_CHOICES } from "../install/cache-life.ts";
import { askFirst, refuseUnconfirmed } from "../install/confirm.ts";
import { writeEngineNode } from "../install/engine-node.ts";
import { CLIENT_OPTION, FIRST_WITH_MODULES } from "../install/find-client.ts";
import { copyPackage, PLUGIN_IDS } from "../install/find-package.ts";
import { rememberChanges } from "../install/installation-record.ts";
import { type Installation, planInstallation } from "../install/plan-installation.ts";
import { registerPlugins } from "../install/register-plugins.ts";
import { joinLines, renderSafely } from "../print/style.ts";

export const installCommand: Command = defineCommand({
  name: "install",
  summary: "Installs Plimsoll in Claude Code or another agent; shows every change, asks first and keeps a backup",
  options: {
    module: { help: `use the hooks module, for Claude Code ${FIRST_WITH_MODULES} and later` },
    classic: { help: "use command hooks, which older versions of Claude Code need" },
    "status-line": { help: "show the load in the status line, if you have none yet (only with command hooks)" },
    "cache-life": {
      value: "LIFE",
      help: "how long Claude Code's prompt cache lasts; 1h+5m means one hour for the system prompt and tools, and five minutes for the conversation; keep leaves it as it is; by default 1h+5m, if your own sessions show that it pays",
      choices: CACHE_LIFE_CHOICES,
    },
    agent: {
      value: "AGENT",
      help: "install in this agent instead of Claude Code",
      choices: AGENT_NAMES,
      formerly: { names: ["host"] },
    },
    ...CLIENT_OPTION,
    yes: { help: "do not ask for confirmation" },
    "dry-run": { help: "show what would change, but change nothing" },
  },
  formerOptions: {
    scope:
      "leave it out to install for yourself; for one project only, see docs/install.md (claude plugin install plimsoll@plimsoll --scope project)",
  },
  examples: {
    "plimsoll install --dry-run":
      "shows every line that would change in your settings, and why Plimsoll chose this plugin",
    "plimsoll install --yes": "installs the plugin for your agent's version; run this again after you update the agent",
    "plimsoll install --cache-life 1h+5m --dry-run":
      "shows the lines that set the cache lifetime; plimsoll replay --all shows which lifetime is cheapest",
    "plimsoll install --agent codex --dry-run": "shows what Codex's own commands would add to its config.toml",
    "plimsoll install --agent opencode":
      "adds one file to OpenCode's plugin folder; for pi, --agent pi prints the command that you must run",
  },
  async run(invocation, terminal) {
    const handled = await handleAgent("install", invocation, terminal);
    if (handled) return handled;
    const plan = await planInstallation(invocation, terminal);
    const outcome = await carryOut(plan, invocation, terminal);
    const failure = refuseUnconfirmed(outcome.status, "install");
    return { json: describe(plan, outcome), text: () => render(plan, outcome), failure };
  },
});

interface Outcome {
  readonly status: "installed" | "already" | "planned" | "unconfirmed";
  readonly applied: readonly AppliedChange[];
  /** Why the client did not register it. */
  readonly unregistered?: string | undefined;
}

async function carryOut(plan: Installation, { flags }: Invocation, terminal: Terminal): Promise<Outcome> {
  const usesEngine = plan.oldVersion === undefined && plan.plugins.includes("module");
  if (plan.changes.length === 0 && !plan.needsRegistering) {
    if (usesEngine && !flags.has("dry-run")) writeEngineNode(plan.places.configFolder);
    return { status: "already", applied: [] };
  }
  const status = await askFirst(() => renderPlan(plan), "Install?", { flags, terminal });
  if (status !== "agreed") return { status, applied: [] };
  if (plan.copyFrom !== undefined) copyPackage(plan.copyFrom, plan.root);
  const applied = applyChanges(plan.changes, terminal);
  if (usesEngine) writeEngineNode(plan.places.configFolder);
  rememberChanges(plan.places.configFolder, applied, terminal.nowMs());
  const { client, plugins, root, registry } = plan;
  const unregistered =
    client && plan.needsRegistering ? await registerPlugins(root, plugins, { client, terminal, registry }) : undefined;
  settleChanges(applied);
  return { status: "installed", applied, unregistered };
}

function describe(plan: Installation, { status, applied, unregistered }: Outcome) {
  return {
    status,
    plugins: plan.oldVersion === undefined ? plan.plugins.map((name) => PLUGIN_IDS[name]) : [],
    why: plan.why,
    client: plan.client ?? null,
    folder: plan.root,
    files: describeChanges(status === "installed" ? applied : plan.changes),
    unregistered: unregistered ?? null,
    notes: plan.notes,
  };
}

function render(plan: Installation, outcome: Outcome): string {
  const { status, applied, unregistered } = outcome;
  if (status === "already") return joinLines(`${namePlugins(plan)}: already installed, nothing to change.`, plan.notes);
  if (status === "planned") return joinLines(renderPlan(plan), "", "Nothing was changed.");
  if (status === "unconfirmed") return renderPlan(plan);
  return joinLines(
    `Installed: ${namePlugins(plan)} (${plan.why}).`,
    renderBackups(applied),
    unregistered && `The agent will register Plimsoll at its next start (${renderSafely(unregistered)}).`,
    plan.notes,
    "Start a new session or resume one, then check the installation with plimsoll doctor. To remove Plimsoll, run: plimsoll uninstall",
  );
}

function renderPlan(plan: Installation): string {
  const { changes, copyFrom, client } = plan;
  const found = client ? `${renderSafely(client.path)}, version ${client.version ?? "unknown"}` : "not found";
  return joinLines(
    `agent:  ${found}`,
    `plugin: ${namePlugins(plan)} (${plan.why})`,
    copyFrom !== undefined && `folder: ${plan.root} (a copy, because npx may delete its own folder)`,
    changes.length > 0
      ? ["", renderChanges(changes)]
      : "The settings are right, but the agent has not registered the plugin yet.",
    plan.notes.length > 0 && ["", ...plan.notes],
  );
}

function namePlugins({ plugins, oldVersion }: Installation): string {
  return oldVersion === undefined ? plugins.map((name) => PLUGIN_IDS[name]).join(" and ") : "command hooks";
}
