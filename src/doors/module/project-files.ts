import { type ActiveMode, parseActiveMode } from "../../policy/mode/parse-active-mode.ts";
import type { RuleFile } from "../../policy/rules/fit-rules.ts";
import type { StateSavePlan } from "../../survive/project-state/plan-state-save.ts";
import { renderStamp } from "../../survive/project-state/stamp.ts";
import { STATE_FILES, type StateFile, type StateTexts } from "../../survive/project-state/state-files.ts";
import type { Engine } from "./engine.ts";
import { readRegular } from "./read-regular.ts";

const MAX_FILES = 50;

/** A project's state files as far as they could be read whole; the others are left as they are. */
export interface StateFiles {
  readonly texts: StateTexts;
  readonly unreadable: ReadonlySet<string>;
}

/** The project's own files below `.plimsoll/`, through the engine. A link in their place is not followed. */
export async function readStateFiles($: Engine, root: string): Promise<StateFiles> {
  const texts: Partial<Record<StateFile, string>> = {};
  const unreadable = new Set<string>();
  await Promise.all(
    STATE_FILES.map(async (file) => {
      const found = await readPlain($, `${root}/.plimsoll/${file}`);
      if (found.kind === "read") texts[file] = found.text;
      if (found.kind === "unreadable") unreadable.add(file);
    }),
  );
  return { texts, unreadable };
}

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
  const before = await readPlain($, `${folder}/archive.md`);
  if (before.kind === "unreadable") await $.fs.write(`${folder}/archive-${nowMs}.md`, added);
  else await $.fs.write(`${folder}/archive.md`, (before.kind === "read" ? before.text : "") + added);
}

export async function readMode($: Engine, root: string): Promise<ActiveMode> {
  const [own, legacy] = await Promise.all([
    readPlain($, `${root}/.plimsoll/active-context.md`),
    readPlain($, `${root}/.rune/active-context.md`),
  ]);
  return parseActiveMode({ own: textOf(own), legacy: textOf(legacy) });
}

/** A folder that is called `rules` is ours to read only where somebody wrote a settings file of ours into the project. */
export async function readRules($: Engine, root: string): Promise<readonly RuleFile[]> {
  const isInvited = await $.fs.exists(`${root}/.plimsoll/settings.json`).catch(() => false);
  const files: RuleFile[] = [];
  for (const folder of [".plimsoll/rules", ...(isInvited ? ["rules"] : [])]) {
    const entries = await $.fs.list(`${root}/${folder}`).catch(() => []);
    const names = entries.map(({ name }) => name).filter((name) => name.endsWith(".md") && !name.startsWith("."));
    for (const name of names.sort().slice(0, MAX_FILES)) {
      const text = textOf(await readPlain($, `${root}/${folder}/${name}`));
      if (text !== undefined) files.push({ name: `${folder}/${name}`, text });
    }
  }
  return files;
}

type Plain = { readonly kind: "absent" | "unreadable" } | { readonly kind: "read"; readonly text: string };

/** Absent is one thing; there and not to be read whole, a link or too long, is another. */
async function readPlain($: Engine, path: string): Promise<Plain> {
  if (!(await $.fs.exists(path).catch(() => false)) && !(await isLink($, path))) return { kind: "absent" };
  if (await isLink($, path)) return { kind: "unreadable" };
  return readRegular($, path).then(
    (text): Plain => ({ kind: "read", text }),
    (): Plain => ({ kind: "unreadable" }),
  );
}

function textOf(plain: Plain): string | undefined {
  return plain.kind === "read" ? plain.text : undefined;
}

async function isLink($: Engine, path: string): Promise<boolean> {
  return $.fs.stat(path).then(
    ({ isLink: isOne }) => isOne,
    () => false,
  );
}
