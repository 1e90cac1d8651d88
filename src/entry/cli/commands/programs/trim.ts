import { rmSync } from "node:fs";
import path from "node:path";
import { renderCount } from "../../../../core/render-count.ts";
import { LEAST_SESSIONS } from "../../../../recorded/audit/find-unused.ts";
import type { Audit } from "../../audit/judge-baseline.ts";
import { readAudit } from "../../audit/read-audit.ts";
import { listUnused, renderBasis } from "../../audit/render-audit.ts";
import { CliError, type Command, defineCommand, type Invocation, type Terminal } from "../../command.ts";
import { applyChanges, describeChanges, renderBackups, renderChanges } from "../../install/apply-changes.ts";
import { askFirst, refuseUnconfirmed } from "../../install/confirm.ts";
import { readRecord, rememberChanges, writeRecord } from "../../install/installation-record.ts";
import { locateTrimmed, planTrim, type Trim } from "../../install/plan-trim.ts";
import { planFile } from "../../install/plan-uninstallation.ts";
import { locateSettings, readSettingsFile, removeEmpty } from "../../install/settings-file.ts";
import { joinLines, renderSafely, renderTable } from "../../print/style.ts";
import { PROJECT_OPTION, requireProject } from "../../require-session.ts";

export const trimCommand: Command = defineCommand({
  name: "trim",
  summary:
    "Asks for confirmation, then switches off the MCP servers, tools, agents and skills that this project's recorded sessions never used",
  positional: {
    name: "NAME",
    help: "switch off only the items with these names, as listed by plimsoll audit; by default, all unused items except instruction files",
  },
  options: {
    ...PROJECT_OPTION,
    instructions: { help: "also switch off instruction files if no session used any command or path from them" },
    undo: { help: "remove exactly the lines that plimsoll trim added" },
    yes: { help: "do not ask for confirmation" },
    "dry-run": { help: "show what would change, but change nothing" },
  },
  examples: {
    "plimsoll trim --dry-run": "shows the unused items, their cost, and the settings lines that would change",
    "plimsoll trim --yes": "switches off all unused items in this project; nothing is deleted",
    "plimsoll trim --undo": "switches everything on again",
  },
  async run(invocation, terminal) {
    const project = requireProject(invocation, terminal);
    if (invocation.flags.has("undo")) return undo(project, invocation, terminal);
    const audit = await readAudit(project, terminal);
    const plan = planTrim(audit, choose(audit, invocation), terminal);
    const status = plan.off.length === 0 ? "nothing" : await ask(() => render(audit, plan), invocation, terminal);
    const isApplied = status === "agreed";
    const applied = isApplied ? applyChanges([plan.change], terminal) : [];
    if (isApplied) rememberChanges(locateSettings(terminal).configFolder, applied, terminal.nowMs());
    const { off, kept } = plan;
    const { sessions, requestsPerMonth, requestDays } = audit;
    const files = describeChanges(isApplied || off.length === 0 ? applied : [plan.change]);
    const data = { project, sessions, requestsPerMonth, requestDays, isApplied, off, kept, files };
    const done = [
      `${renderCount(off.length, "item")} switched off in this project. Start a new session for this to take effect; plimsoll trim --undo reverses the change.`,
      ...renderBackups(applied),
    ];
    const text = (): string => (isApplied ? done.join("\n") : render(audit, plan));
    return { json: data, text, failure: refuseUnconfirmed(status, TASK) };
  },
});

function choose({ unused }: Audit, { positionals, flags }: Invocation): ReadonlySet<Audit["unused"][number]> {
  const unknown = positionals.find((given) => !unused.some(({ name }) => name === given));
  if (unknown !== undefined)
    throw new CliError(`${renderSafely(unknown)} is not one of the unused items: plimsoll audit shows their names`);
  const isAsked = ({ name, kind }: Audit["unused"][number]): boolean =>
    positionals.length > 0 ? positionals.includes(name) : kind !== "instructions" || flags.has("instructions");
  return new Set(unused.filter(isAsked));
}

const TASK = "change these lines";

function ask(plan: () => string, { flags }: Invocation, terminal: Terminal): ReturnType<typeof askFirst> {
  return askFirst(plan, "Change these lines?", { flags, terminal });
}

function render(audit: Audit, { off, kept, change }: Trim): string {
  if (audit.unused.length === 0)
    return audit.sessions < LEAST_SESSIONS
      ? `This project has ${renderCount(audit.sessions, "recorded session")}, and plimsoll trim needs at least ${LEAST_SESSIONS}.`
      : `Nothing to switch off: every item that was available in at least ${LEAST_SESSIONS} of the ${renderCount(audit.sessions, "recorded session")} was used.`;
  return joinLines(
    off.length > 0 ? ["Never used:", renderTable(listUnused(off))] : "Nothing more to switch off.",
    kept.length > 0 && "These items stay on (they have no setting of their own, or were not selected):",
    kept.length > 0 && renderTable(listUnused(kept)),
    renderBasis(audit),
    off.length > 0 && ["", renderChanges([change])],
  );
}

/** Restores the file byte for byte if it was not changed since. */
async function undo(project: string, invocation: Invocation, terminal: Terminal) {
  const file = locateTrimmed(project);
  const { configFolder } = locateSettings(terminal);
  const record = readRecord(configFolder);
  const known = record?.files.find((one) => one.path === file);
  if (!record || !known)
    return { json: { isApplied: false, files: [] }, text: () => "plimsoll trim has changed nothing in this project." };
  const change = planFile(readSettingsFile(file), known);
  const status = await ask(() => renderChanges([change]), invocation, terminal);
  const isApplied = status === "agreed";
  if (isApplied) {
    const [applied] = applyChanges([change], terminal);
    writeRecord(configFolder, { ...record, files: record.files.filter((one) => one !== known) });
    // The file is back to its original text, so its copies are no longer needed.
    for (const copy of [applied?.backup, known.backup]) if (copy !== undefined) rmSync(copy, { force: true });
    removeEmpty(path.dirname(file), project);
  }
  const shown = isApplied ? `${file} no longer contains any changes by plimsoll trim.` : renderChanges([change]);
  const json = { isApplied, files: describeChanges([change]) };
  return { json, text: () => shown, failure: refuseUnconfirmed(status, TASK) };
}
