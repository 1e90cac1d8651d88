import { sha256 } from "../core/sha256.ts";
import { ARTIFACT_HEADER_LINES } from "./artifact-file.ts";
import { foldOutput } from "./fold-output.ts";
import type { Hint } from "./hint.ts";
import { nameHandle } from "./marker.ts";
import { countLines, MEMBER_BUDGET } from "./thresholds.ts";

export interface GroupMember extends Hint {
  readonly id: string;
  readonly text: string;
}

export interface FoldedGroup {
  /** The shared artifact; store it before replacing anything. */
  readonly artifact: string;
  readonly sha256: string;
  readonly handle: string;
  readonly replacements: readonly { readonly id: string; readonly text: string }[];
}

/** Where the artifact of a group is stored, and how much of one member is shown. */
export interface GroupPlace {
  readonly path: string;
  readonly handle: string;
  readonly readTool?: string | undefined;
  readonly budget?: number | undefined;
}

/**
 * For the newest of several outputs, about to join a conversation which already holds the others. `artifact` has all of them; store it
 * before replacing the newest.
 */
export function planLast(
  earlier: readonly GroupMember[],
  last: GroupMember,
): { readonly artifact: string; readonly render: (place: GroupPlace) => string } {
  const { text, places } = combineOutputs([...earlier, last].map(toPart));
  return { artifact: text, render: (place) => renderMember(last, places.at(-1), place) };
}

/** Puts several outputs into one artifact and replaces each with a small preview. `path` is where the artifact will be stored. */
export function foldGroup(members: readonly GroupMember[], path: string, budget: number = MEMBER_BUDGET): FoldedGroup {
  const { text, places } = combineOutputs(members.map(toPart));
  const hash = sha256(text);
  const handle = nameHandle(hash);
  const replacements = members.map((member, index) => ({
    id: member.id,
    text: renderMember(member, places[index], { path, handle, budget }),
  }));
  return { artifact: text, sha256: hash, handle, replacements };
}

function toPart({ tool = "", command = "", path = "", text }: GroupMember): OutputPart {
  return { title: [tool, command, path].filter((word) => word !== "").join(" "), output: text };
}

/** A preview that quotes line numbers of the artifact file, below its header. */
function renderMember(member: GroupMember, at: PartPlace | undefined, place: GroupPlace): string {
  const { path, handle, readTool, budget = MEMBER_BUDGET } = place;
  const { firstLine = 1, lastLine = 1 } = at ?? {};
  const lines = `lines ${firstLine + ARTIFACT_HEADER_LINES}-${lastLine + ARTIFACT_HEADER_LINES}`;
  // The handle names the whole artifact; a member has none of its own.
  const named = `${path} ${lines} (${handle})`;
  return foldOutput(member.text, member, { budget, path: named, readTool, hasHandle: false }).text;
}

export interface OutputPart {
  readonly title: string;
  readonly output: string;
}

/** Where a part is in the combined text, so that a preview can quote the right lines. */
export interface PartPlace {
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Joins several outputs. Each header holds its part's length, so they can be split again whatever they contain. */
export function combineOutputs(parts: readonly OutputPart[]): {
  readonly text: string;
  readonly places: readonly PartPlace[];
} {
  const places: PartPlace[] = [];
  let text = "";
  let line = 1;
  for (const [index, { title, output }] of parts.entries()) {
    const heading = title.replace(/[\r\n\u2028\u2029]+/g, " ⏎ ");
    text += `## ${index + 1}/${parts.length} (${output.length} chars) ${heading}\n${output}\n\n`;
    const lines = output.split("\n").length;
    places.push({ firstLine: line + 1, lastLine: line + Math.max(1, countLines(output)) });
    line += lines + 2;
  }
  return { text, places };
}

/** The inverse of `combineOutputs`; `undefined` for any other text. */
export function splitCombined(text: string): readonly OutputPart[] | undefined {
  const parts: OutputPart[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const header = /^## \d+\/\d+ \((\d+) chars\) (.*)$/.exec(text.slice(at, end < 0 ? text.length : end));
    if (!header) return undefined;
    const from = end + 1;
    const to = from + Number(header[1]);
    if (text.slice(to, to + 2) !== "\n\n") return undefined;
    parts.push({ title: header[2] ?? "", output: text.slice(from, to) });
    at = to + 2;
  }
  return parts;
}
