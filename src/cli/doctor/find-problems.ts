import path from "node:path";
import { renderCount } from "../../core/render-count.ts";
import { hasModules, isAtLeast } from "../install/client-version.ts";
import { PLUGIN_IDS } from "../install/plugin-names.ts";
import type { Examination } from "./examination.ts";
import { listMissing, locateManaged } from "./read-installed.ts";

/** Something that is wrong, and what to do about it. */
export interface Problem {
  readonly what: string;
  readonly fix: string;
}

/** What the hooks' program is built for. */
const LEAST_NODE = "18.0.0";
/** A fault older than this has been lived with, or has gone. */
const RECENT_MS = 7 * 86_400_000;
/** A session that began just before the install does not know of it. */
const SETTLING_MS = 10 * 60_000;

export function findProblems(seen: Examination, nowMs: number): readonly Problem[] {
  return [
    ...seen.installed.broken.map((what) => ({ what, fix: "mend the file: until then the client ignores it" })),
    ...judgePlugins(seen),
    ...judgeSwitches(seen),
    ...judgeData(seen, nowMs),
    ...judgeLife(seen),
    ...judgeDoors(seen, nowMs),
    ...seen.own.warnings.map((what) => ({ what, fix: "correct that line: until then its default stands" })),
  ];
}

function judgePlugins({ client, installed, nodeVersion }: Examination): readonly Problem[] {
  const { plugins, root, hasSettingsHooks } = installed;
  const problems: Problem[] = [];
  const version = client?.version;
  if (plugins.length > 0 && client === undefined)
    problems.push({ what: "the client cannot be found", fix: "name it: plimsoll doctor --client PATH" });
  if (version && !hasModules(version) && plugins.includes("module") && !plugins.includes("classic"))
    problems.push({
      what: `Claude Code ${version} does not load the module that is switched on`,
      fix: "plimsoll install puts command hooks in its place; or update the client: claude update",
    });
  if (root !== undefined)
    for (const file of plugins.flatMap((plugin) => listMissing(root, plugin)))
      problems.push({ what: `${file} is missing`, fix: "plimsoll install, from a whole package" });
  const isClassic = plugins.includes("classic") || hasSettingsHooks;
  if (isClassic && nodeVersion === undefined)
    problems.push({ what: "the command hooks need node, and PATH has none", fix: "install Node 18 or later" });
  if (isClassic && nodeVersion !== undefined && !isAtLeast(nodeVersion, LEAST_NODE))
    problems.push({ what: `node ${nodeVersion} is too old for the command hooks`, fix: "install Node 18 or later" });
  return problems;
}

function judgeSwitches({ installed: { settings } }: Examination): readonly Problem[] {
  return settings.flatMap(({ path: file, settings }) => {
    const problems: Problem[] = [];
    if (settings.disableAllHooks === true)
      problems.push({ what: `${file} has disableAllHooks: no hook runs, ours included`, fix: "take that line out" });
    if (settings.allowManagedHooksOnly === true && file === locateManaged())
      problems.push({
        what: `${file} has allowManagedHooksOnly: only your organisation's own hooks run`,
        fix: "ask whoever manages the file to allow the plugin",
      });
    return problems;
  });
}

function judgeData({ installed, dataProblem, fallback }: Examination, nowMs: number): readonly Problem[] {
  const problems: Problem[] = [];
  const data = path.join(installed.configFolder, "data", "plimsoll");
  if (dataProblem !== undefined)
    problems.push({
      what: `nothing can be kept in ${data}: ${dataProblem}`,
      fix: `make it yours: chown -R "$USER" ${data}`,
    });
  const last = fallback.deeds.at(-1);
  if (last && isRecent(last.atMs, nowMs))
    problems.push({
      what: `${renderCount(fallback.deeds.length, "note")} of your sessions could not be written where they belong, and lie in the temporary folder`,
      fix: `see that ${data} can be written and the disk has room; the notes may then be removed`,
    });
  return problems;
}

/** Switched on, sessions since then, and not one sign of life. */
function judgeLife({ installed, journal, installedAtMs, lastSessionMs, own }: Examination): readonly Problem[] {
  const isOn = own.settings.isOn && (installed.plugins.length > 0 || installed.hasSettingsHooks);
  const lastSeenMs = journal.deeds.at(-1)?.atMs ?? 0;
  if (!isOn || installedAtMs === undefined || lastSessionMs === undefined) return [];
  if (lastSessionMs < installedAtMs + SETTLING_MS || lastSeenMs > installedAtMs) return [];
  return [
    {
      what: "it is switched on, and no session since the install has run it",
      fix: "start a new session; if that does not help, look at what claude --debug says about plugins",
    },
  ];
}

function judgeDoors({ doors }: Examination, nowMs: number): readonly Problem[] {
  return doors.flatMap(({ door, event, failures, lastFailure, ignored, lastIgnored }) => {
    const problems: Problem[] = [];
    if (lastFailure && isRecent(lastFailure.atMs, nowMs))
      problems.push({
        what: `${door} ${event} failed ${count(failures)}, last: ${lastFailure.why}`,
        fix: "update Plimsoll; if it fails again, report it with plimsoll doctor --json",
      });
    if (lastIgnored && isRecent(lastIgnored.atMs, nowMs))
      problems.push({
        what: `the client ignored an answer of ${door} ${event} ${count(ignored)}, last: ${lastIgnored.why}`,
        fix: "update Plimsoll to a version that knows this client",
      });
    return problems;
  });
}

/** A time that lies ahead says that a clock was wrong, and nothing about now. */
function isRecent(atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < RECENT_MS;
}

function count(times: number): string {
  return times === 1 ? "once" : `${times} times`;
}

/** What is worth knowing and not wrong. */
export function listNotes({ client, installed, own, journal }: Examination): readonly string[] {
  const { plugins, hasSettingsHooks } = installed;
  const version = client?.version;
  const notes: string[] = [];
  if (plugins.length === 0 && !hasSettingsHooks)
    notes.push("Plimsoll is not installed in the client: plimsoll install does it.");
  if (plugins.length === 2)
    notes.push(
      "Both plugins are on. Where the module loads it serves alone and the hooks stand aside: nothing is done twice.",
    );
  if (version && hasModules(version) && plugins.length === 1 && plugins[0] === "classic")
    notes.push(
      `Claude Code ${version} could run ${PLUGIN_IDS.module}, which starts no process: plimsoll install switches.`,
    );
  if (!own.settings.isOn)
    notes.push(`Plimsoll is switched off in ${own.files.join(" or ")}: "on": true switches it on.`);
  if (journal.skipped > 0)
    notes.push(`${renderCount(journal.skipped, "line")} of the journals could not be read: passed over.`);
  return notes;
}
