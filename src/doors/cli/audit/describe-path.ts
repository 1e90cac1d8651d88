import path from "node:path";
import { openAgreedFiles } from "../../../files/agreed-files.ts";
import { findWaiting } from "../../../files/find-waiting.ts";
import { readModeText } from "../../../files/mode-files.ts";
import { locateTrust } from "../../../files/node-agreement.ts";
import { nodeProjectFiles } from "../../../files/node-project-files.ts";
import { readNotes, readSurroundings } from "../../../files/project-reader.ts";
import { requireBaseline } from "../../../hosts/catalogue.ts";
import { dedupeFiles } from "../../../library/prompt/instructions/dedupe-files.ts";
import type { Scope } from "../../../library/prompt/instructions/instruction-file.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import { isMode } from "../../../policy/mode/mode.ts";
import { INITIAL_POLICY } from "../../../policy/policy-state.ts";
import { opened } from "../../../policy/steps/opened.ts";
import { renderNotes } from "../../../policy/surroundings.ts";
import { checkConflicts } from "../../../recorded/lint/check-conflicts.ts";
import type { Terminal } from "../command.ts";
import { locateSettings } from "../install/settings-places.ts";
import { renderSafely } from "../style.ts";

interface DescribedPath {
  readonly path: string;
  readonly files: readonly { path: string; scope: Scope; characters: number; sameAs: string | null }[];
  readonly conflicts: readonly string[];
  /** What Plimsoll puts into the first request. */
  readonly told: string;
}

/** What a session that works on one file is told: the client's instruction files in their order, and what Plimsoll adds, word for word. */
export async function describePath(project: string, given: string, terminal: Terminal): Promise<DescribedPath> {
  const active = path.resolve(terminal.directory, given);
  const { files: all } = requireBaseline(terminal.hosts).readInstructions(terminal.environment, project, active);
  const { duplicates } = dedupeFiles(all);
  return {
    path: path.relative(project, active) || ".",
    files: all.map(({ path: file, scope, text }) => ({
      path: file,
      scope,
      characters: text.length,
      sameAs: duplicates.find((one) => one.path === file)?.sameAs ?? null,
    })),
    conflicts: checkConflicts(all, []).map(({ what }) => what),
    told: await renderTold(project, terminal),
  };
}

/** What a new session's first request gets from us: the same step as in the client. */
async function renderTold(project: string, terminal: Terminal): Promise<string> {
  const trust = locateTrust(project, locateData(locateSettings(terminal).configFolder));
  const store = openAgreedFiles(nodeProjectFiles, trust);
  const notes = await readNotes(store, project);
  const nowMs = terminal.nowMs();
  const { commands } = opened(INITIAL_POLICY, {
    why: "startup",
    surroundings: await readSurroundings(store, project, async (mode) =>
      isMode(mode) ? readModeText(mode) : undefined,
    ),
    nowMs,
    notes: (beganMs) => renderNotes(notes, { nowMs, beganMs }),
    memory: notes.memory,
    waiting: await findWaiting(nodeProjectFiles, trust),
    model: () => "",
  });
  return commands.flatMap((one) => (one.kind === "tell" || one.kind === "warn" ? [one.text] : [])).join("\n\n");
}

export function renderPath({ path: about, files, conflicts, told }: DescribedPath): string {
  return [
    `Instruction files for ${renderSafely(about)}, in the order in which the client gives them:`,
    ...files.map(({ path: file, scope, characters, sameAs }, index) => {
      const adds =
        sameAs === null ? `${characters} characters` : `nothing: it says the same as ${renderSafely(sameAs)}`;
      return `${index + 1}. ${renderSafely(file)} (${scope}) adds ${adds}`;
    }),
    ...(files.length === 0 ? ["none"] : []),
    ...conflicts.map((what) => `conflict ${renderSafely(what)}`),
    "",
    told === "" ? "Plimsoll adds nothing at the start of a session." : "Plimsoll adds at the start of a session:",
    ...told.split("\n").map(renderSafely),
  ].join("\n");
}
