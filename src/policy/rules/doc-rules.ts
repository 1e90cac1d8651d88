import { clipLine } from "../../core/clip-text.ts";
import { findProse } from "../../library/prompt/instructions/find-prose.ts";
import type { DocConvention } from "./doc-conventions.ts";

/** A document as a change left it. */
export interface ChangedDocument {
  readonly path: string;
  /** Empty for a new one. */
  readonly before: string;
  readonly after: string;
}

/** One convention that a change broke, with the first line that does. */
export interface Breach {
  readonly name: string;
  readonly line: string;
  readonly advice: string;
}

const MAX_CHARACTERS = 1_000_000;
const SHOWN_CHARACTERS = 100;

/** Whether a changed file is a document of the project: `docs/*.md` in it, at any depth. */
export function isProjectDocument(path: string, project: string): boolean {
  return /^(?:.*\/)?docs\/(?:.*\/)?[^/]+\.md$/i.test(nameInProject(path, project) ?? "");
}

/** Whether a changed file holds rules that every request carries. */
export function isRuleFile(path: string, project: string): boolean {
  return /^(?:(?:\.plimsoll\/|\.claude\/)?rules\/[^/]+|(?:.*\/)?(?:CLAUDE|CLAUDE\.local|AGENTS))\.md$/.test(
    nameInProject(path, project) ?? "",
  );
}

/** From the project's folder; `undefined` for what lies outside of it. */
export function nameInProject(path: string, project: string): string | undefined {
  const slashed = path.replaceAll("\\", "/");
  const root = project.replaceAll("\\", "/").replace(/\/+$/, "");
  const inside = slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : slashed;
  return inside.startsWith("/") || inside.split("/").includes("..") ? undefined : inside;
}

/** What the change itself broke: lines that stood there before are nobody's doing now. */
export function checkDocument(
  { before, after }: ChangedDocument,
  conventions: readonly DocConvention[],
): readonly Breach[] {
  if (before.length > MAX_CHARACTERS || after.length > MAX_CHARACTERS) return [];
  const old = new Set(listProse(before));
  const all = listProse(after);
  const added = all.filter((line) => !old.has(line));
  return conventions.flatMap(({ name, advice, find }) => {
    const line = find({ added, all });
    return line === undefined ? [] : [{ name, advice, line: clipLine(line, SHOWN_CHARACTERS) }];
  });
}

/** Running text that a change brought into a file of rules. */
export function checkRules({ before, after }: ChangedDocument): readonly Breach[] {
  if (before.length > MAX_CHARACTERS || after.length > MAX_CHARACTERS || findProse(before)) return [];
  const prose = findProse(after);
  if (!prose) return [];
  const line = after.split(/\r?\n/)[prose.line - 1] ?? "";
  const advice =
    "Every request carries this file: write one rule a list item, and put what explains them into a document that is read when it is needed.";
  return [{ name: "prose", line: clipLine(line, SHOWN_CHARACTERS), advice }];
}

/** Rules are paid for in every request, documents only when they are read: what is said is what this change broke, and no more. */
export function renderBreaches(document: string, breaches: readonly Breach[]): string {
  if (breaches.length === 0) return "";
  return [
    `${document} was changed; conventions that the change breaks:`,
    ...breaches.map(({ name, line, advice }) => `- ${name}: "${line}". ${advice}`),
  ].join("\n");
}

/** Lines outside of code. */
function listProse(text: string): readonly string[] {
  let isInFence = false;
  return text.split(/\r?\n/).filter((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isInFence = !isInFence;
    return !isFence && !isInFence && line.trim() !== "";
  });
}
