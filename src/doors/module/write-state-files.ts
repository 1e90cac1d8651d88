import type { StateSavePlan } from "../../survive/project-state/plan-state-save.ts";
import { renderStamp } from "../../survive/project-state/stamp.ts";
import { STATE_FILES } from "../../survive/project-state/state-files.ts";
import type { Engine } from "./engine.ts";
import { engineProjectFiles } from "./engine-project-files.ts";

/** What the engine reads at once. */
const MAX_ARCHIVE_BYTES = 4 * 1024 * 1024;

/** What a limit pushes out is in the archive before it leaves its file. */
export async function writeStateFiles(
  $: Engine,
  root: string,
  { plan, unreadable }: { readonly plan: StateSavePlan; readonly unreadable: ReadonlySet<string> },
  nowMs: number,
): Promise<void> {
  const folder = `${root}/.plimsoll`;
  const changed = STATE_FILES.filter((file) => plan.changed[file] !== undefined && !unreadable.has(file));
  if (changed.length === 0 || (await isLink($, folder))) return;
  if (!(await $.fs.exists(`${folder}/.gitignore`))) await $.fs.write(`${folder}/.gitignore`, "*\n");
  const leaving = plan.evicted.filter(({ file }) => changed.includes(file));
  if (leaving.length > 0) await appendArchive($, folder, leaving, nowMs);
  for (const file of changed) await $.fs.write(`${folder}/${file}`, plan.changed[file] ?? "");
}

/** An archive that cannot be read whole is not written over: what leaves goes beside it. */
async function appendArchive(
  $: Engine,
  folder: string,
  leaving: StateSavePlan["evicted"],
  nowMs: number,
): Promise<void> {
  const added = leaving.map(({ file, text }) => `[${renderStamp(nowMs)}] from ${file}\n${text.trimEnd()}\n\n`).join("");
  const before = await engineProjectFiles($).read(`${folder}/archive.md`, MAX_ARCHIVE_BYTES);
  if (before !== undefined && "problem" in before) await $.fs.write(`${folder}/archive-${nowMs}.md`, added);
  else await $.fs.write(`${folder}/archive.md`, (before?.text ?? "") + added);
}

async function isLink($: Engine, path: string): Promise<boolean> {
  return $.fs.stat(path).then(
    ({ isLink: isOne }) => isOne,
    () => false,
  );
}
