import path from "node:path";
import { isObject, type JsonObject, listField, numberField, objectField } from "../../../core/json.ts";
import { renderCount } from "../../../core/render-count.ts";
import { isVersionAtLeast } from "../../../hosts/claude-code/client-version.ts";
import { isOurs, locateManaged } from "../../../hosts/claude-code/disk/installed.ts";
import type { OwnAction } from "../../../policy/actions/own-action.ts";
import { listUnheeded } from "../../../policy/settings/settings.ts";
import type { Problem } from "../install/agents/agent.ts";
import { hasModules } from "../install/find-client.ts";
import { PLUGIN_IDS } from "../install/find-package.ts";
import type { EntryPointEvent, Examination } from "./examination.ts";
import { listMissing } from "./read-installed.ts";

/** The minimum version that the hooks' program is built for. */
const LEAST_NODE = "18.0.0";
/** The same for the engine, which the module starts. */
const LEAST_ENGINE_NODE = "20.0.0";
/** Older faults are not reported: they were accepted or have gone away. */
const RECENT_MS = 7 * 86_400_000;
/** A session that began just before the install does not have the hooks. */
const SETTLING_MS = 10 * 60_000;

export function findProblems(seen: Examination, nowMs: number): readonly Problem[] {
  return [
    ...seen.installed.broken.map((what) => ({ what, fix: "correct the file: the agent ignores it until you do" })),
    ...judgePlugins(seen),
    ...judgeSwitches(seen),
    ...judgeData(seen, nowMs),
    ...judgeLife(seen),
    ...judgeEntryPoints(seen, nowMs),
    ...seen.agents.flatMap(({ problems }) => problems),
    ...seen.files.flatMap(({ name, isThere, detail }) =>
      isThere ? [] : [{ what: `this installation has no ${name}: ${detail}`, fix: "reinstall the package" }],
    ),
    ...seen.own.warnings.map((what) => ({ what, fix: "correct that line: the default applies until you do" })),
  ];
}

function judgePlugins({ client, installed, nodeVersion, engineNode }: Examination): readonly Problem[] {
  const { plugins, root, hasSettingsHooks } = installed;
  const problems: Problem[] = [];
  const add = (what: string, fix: string) => void problems.push({ what, fix });
  const version = client?.version;
  if (plugins.length > 0 && client === undefined)
    add("the agent cannot be found", "pass its path: plimsoll doctor --program PATH");
  if (version && !hasModules(version) && plugins.includes("module") && !plugins.includes("classic"))
    add(
      `Claude Code ${version} does not load the module that is switched on`,
      "run plimsoll install to replace the module with command hooks, or update the agent: claude update",
    );
  const missing = root === undefined ? [] : plugins.flatMap((plugin) => listMissing(root, plugin));
  for (const file of missing) add(`${file} is missing`, "reinstall the package, then run plimsoll install");
  const isTooOld = (least: string): boolean => nodeVersion !== undefined && !isVersionAtLeast(nodeVersion, least);
  if (plugins.includes("classic") || hasSettingsHooks) {
    const fix = "install Node 18 or later";
    if (nodeVersion === undefined) add("the command hooks need Node, which is not on PATH", fix);
    if (isTooOld(LEAST_NODE)) add(`node ${nodeVersion} is too old for the command hooks`, fix);
  } else if (plugins.includes("module")) {
    const fix = "install Node 20 or later, then run plimsoll install with it";
    const place = engineNode ?? "node on PATH";
    if (nodeVersion === undefined) add(`the engine needs Node, and ${place} does not run`, fix);
    if (isTooOld(LEAST_ENGINE_NODE)) add(`the engine needs Node 20 or later, and ${place} is ${nodeVersion}`, fix);
  }
  return problems;
}

function judgeSwitches({ installed: { settings } }: Examination): readonly Problem[] {
  return settings.flatMap(({ path: file, settings }) => {
    const all = `${file} sets disableAllHooks, so no hook runs, not even Plimsoll's`;
    const others = `${file} sets allowManagedHooksOnly, so only your organisation's own hooks run`;
    const isManaged = settings.allowManagedHooksOnly === true && file === locateManaged();
    return [
      ...(settings.disableAllHooks === true ? [{ what: all, fix: "remove that line" }] : []),
      ...(isManaged ? [{ what: others, fix: "ask your administrator to allow the plugin" }] : []),
    ];
  });
}

function judgeData({ installed, dataProblem, closed, fallback }: Examination, nowMs: number): readonly Problem[] {
  const data = path.join(installed.configFolder, "data", "plimsoll");
  const last = fallback.actions.at(-1);
  const problems: readonly (Problem | false)[] = [
    dataProblem !== undefined && {
      what: `Plimsoll cannot store anything in ${data}: ${dataProblem}`,
      fix: `take ownership of the folder: chown -R "$USER" ${data}`,
    },
    closed.length > 0 && {
      what: `${renderCount(closed.length, "folder")} of recorded sessions may not be read, so no figure has what is in ${closed.map(({ what }) => what).join(", ")}`,
      fix: `make them readable: ${closed.map(({ fix }) => fix).join("; ")}`,
    },
    last !== undefined &&
      isRecent(last.atMs, nowMs) && {
        what: `${renderCount(fallback.actions.length, "note")} of your sessions could not be written to the data folder, and went to the temporary folder instead`,
        fix: `check that ${data} is writable and the disk has space; then you may delete the notes`,
      },
  ];
  return problems.filter((problem) => problem !== false);
}

/** Switched on, with sessions since then, but without a single sign of life. */
function judgeLife({ installed, journal, installedAtMs, lastSessionMs, own }: Examination): readonly Problem[] {
  const isOn = own.settings.isOn && (installed.plugins.length > 0 || installed.hasSettingsHooks);
  const lastSeenMs = journal.actions.findLast(({ door }) => door !== "codex")?.atMs ?? 0;
  if (!isOn || installedAtMs === undefined || lastSessionMs === undefined) return [];
  if (lastSessionMs < installedAtMs + SETTLING_MS || lastSeenMs > installedAtMs) return [];
  const fix = "start a new session; if that does not help, look at what claude --debug says about plugins";
  return [{ what: "Plimsoll is switched on, but no session has run it since the installation", fix }];
}

function judgeEntryPoints({ doors: entryPoints }: Examination, nowMs: number): readonly Problem[] {
  return entryPoints.flatMap((one) => {
    const { door, event, failures, lastFailure, ignored, lastIgnored } = one;
    const failed = `${door} ${event} failed ${count(failures)}; the last error was: ${lastFailure?.why}`;
    const passedOver = `the agent ignored an answer from ${door} ${event} ${count(ignored)}; the last reason was: ${lastIgnored?.why}`;
    const isOf = (note: typeof lastFailure): boolean => note !== null && isRecent(note.atMs, nowMs);
    return [
      ...(isOf(lastFailure) ? [{ what: failed, fix: adviseFailure(one) }] : []),
      ...(isOf(lastIgnored)
        ? [{ what: passedOver, fix: "update Plimsoll to a version that supports this agent" }]
        : []),
    ];
  });
}

/** A time in the future means that a clock was wrong, so it is not recent. */
function isRecent(atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < RECENT_MS;
}

function count(times: number): string {
  return times === 1 ? "once" : `${times} times`;
}

export function listNotes(seen: Examination): readonly string[] {
  const { client, installed, own, journal } = seen;
  const { plugins, hasSettingsHooks } = installed;
  const version = client?.version;
  const notes: string[] = [];
  if (plugins.length === 0 && !hasSettingsHooks)
    notes.push("Plimsoll is not installed in the agent. Run: plimsoll install");
  if (plugins.length === 2)
    notes.push("Both plugins are switched on, but only one of them is ever active: nothing is done twice.");
  if (version && hasModules(version) && plugins.length === 1 && plugins[0] === "classic")
    notes.push(
      `Claude Code ${version} could run ${PLUGIN_IDS.module}, which starts no process. To switch to it, run: plimsoll install`,
    );
  if (!own.settings.isOn)
    notes.push(`Plimsoll is switched off in ${own.files.join(" or ")}. To switch it on, set "on": true.`);
  if ((plugins.includes("classic") && !plugins.includes("module")) || (hasSettingsHooks && plugins.length === 0))
    notes.push(...listUnheeded(own.settings));
  notes.push(...noteOwnHooks(seen), ...noteCompactions(journal.actions), noteHistory(seen));
  if (seen.leftOver.freedBytes > 0)
    notes.push(
      `Originals of conversations that you can no longer resume take ${renderCount(seen.leftOver.freedBytes, "byte")} here. To remove them, run: plimsoll artifacts prune`,
    );
  if (journal.skipped > 0) notes.push(`${renderCount(journal.skipped, "unreadable journal line")} skipped.`);
  return notes;
}

/** What Claude Code does if its settings do not say. */
const CLEANUP_DAYS = 30;

/** The nearest settings file that names a number of days wins, as in the client. */
export function findCleanupDays({ installed }: Pick<Examination, "installed">): number {
  const named = installed.settings.map(({ settings }) => numberField(settings, "cleanupPeriodDays"));
  return named.findLast((days) => days !== undefined) ?? CLEANUP_DAYS;
}

function noteHistory(seen: Examination): string {
  const gone = seen.goneFiles > 0 ? ` So far ${renderCount(seen.goneFiles, "file")} of yours.` : "";
  return `Claude Code deletes session files after ${renderCount(findCleanupDays(seen), "day")} ("cleanupPeriodDays" in its settings).${gone} Plimsoll keeps the sums of every file that it has read, so run it at least that often.`;
}

/** What happens to the person's own PreCompact hooks if the module answers compactions. */
function noteOwnHooks({ installed, own, doors: entryPoints }: Examination): readonly string[] {
  const files = installed.settings.filter(({ settings }) => hasOwnHook(settings)).map(({ path: file }) => file);
  const isAnswering = own.settings.isOn && own.settings.compaction !== "native" && installed.plugins.includes("module");
  if (files.length === 0 || !isAnswering) return [];
  const refused = entryPoints.find(({ lastDeclined }) => lastDeclined?.why.startsWith("PreCompact hooks: "));
  return [
    refused
      ? `Your PreCompact hooks in ${files.join(", ")} do not run, because this agent runs them only with its own summary. To run them, set "compaction": "native".`
      : `Your PreCompact hooks in ${files.join(", ")} run before Plimsoll compacts, and may block the compaction. What they print has no effect, because no model writes a summary. To get a model's summary, set "compaction": "native".`,
  ];
}

/** A hook without our mark. */
function hasOwnHook(settings: JsonObject): boolean {
  const entries = listField(objectField(settings, "hooks") ?? {}, "PreCompact").filter(isObject);
  return entries.flatMap((entry) => listField(entry, "hooks").filter(isObject)).some((hook) => !isOurs(hook));
}

function noteCompactions(actions: readonly OwnAction[]): readonly string[] {
  const compacted = actions.filter((action) => action.kind === "compacted");
  if (compacted.length === 0) return [];
  const ours = compacted.filter(({ by }) => by === "plimsoll").length;
  const early = compacted.filter(({ by, why }) => by === "plimsoll" && why !== "").length;
  return [
    `${renderCount(compacted.length, "compaction")}: ${ours} by Plimsoll (${early} of them early, because of the setting "early" or "line"), ${compacted.length - ours} by the agent.`,
  ];
}

const UPDATE = "update Plimsoll; if this fails again, report it with the output of plimsoll doctor --json";
const NATIVE =
  'until then, set "compaction": "native" in ~/.claude/plimsoll.json, so that the agent compacts with its own hooks and summary';

export function adviseFailure({ event, lastFailure }: Pick<EntryPointEvent, "event" | "lastFailure">): string {
  const why = lastFailure?.why ?? "";
  const isStored = /artifacts?|original|\.plimsoll|state could not be saved/i.test(why);
  const place = isStored ? "the .plimsoll folder of that project" : "the folder in the message";
  if (/ENOSPC|no space|disk (is )?full/i.test(why)) return "free some disk space";
  if (/EROFS|read-only/i.test(why)) return `the file system is read-only: make ${place} writable, or work in a copy`;
  if (/EACCES|EPERM|permission|cannot be written|could not be (kept|saved)/i.test(why))
    return `check with ls -ld that you own ${place} and can write to it; if not, use chown or chmod`;
  return event === "session.compact" ? `${UPDATE}; ${NATIVE}` : UPDATE;
}
