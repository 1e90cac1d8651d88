import { sha256 } from "../core/sha256.ts";
import { ARTIFACT_HEADER_LINES } from "./artifact-file.ts";
import { foldOutput } from "./fold-output.ts";
import type { Hint } from "./hint.ts";
import { nameHandle } from "./marker.ts";
import { countLines, MEMBER_BUDGET } from "./thresholds.ts";

/** One of several outputs of a command class. */
export interface GroupMember extends Hint {
  readonly id: string;
  readonly text: string;
}

export interface FoldedGroup {
  /** The one artifact: to be stored before anything is replaced. */
  readonly artifact: string;
  readonly sha256: string;
  readonly handle: string;
  /** What stands in the place of each output. */
  readonly replacements: readonly { readonly id: string; readonly text: string }[];
}

/** Where the artifact of a group lies, and how much of one member is shown. */
export interface GroupPlace {
  readonly path: string;
  readonly handle: string;
  readonly readTool?: string | undefined;
  readonly budget?: number | undefined;
}

/** The newest of several outputs on its way into a conversation in which the others stand already. */
export interface PlannedLast {
  /** All of them: to be stored before the newest is replaced. */
  readonly artifact: string;
  readonly render: (place: GroupPlace) => string;
}

export function planLast(earlier: readonly GroupMember[], last: GroupMember): PlannedLast {
  const { text, places } = combineGroup([...earlier, last]);
  return { artifact: text, render: (place) => renderMember(last, places.at(-1), place) };
}

/** Several outputs in one artifact, each replaced by a small preview. `path` is where the artifact will lie. */
export function foldGroup(members: readonly GroupMember[], path: string, budget: number = MEMBER_BUDGET): FoldedGroup {
  const { text, places } = combineGroup(members);
  const hash = sha256(text);
  const handle = nameHandle(hash);
  const replacements = members.map((member, index) => ({
    id: member.id,
    text: renderMember(member, places[index], { path, handle, budget }),
  }));
  return { artifact: text, sha256: hash, handle, replacements };
}

function combineGroup(members: readonly GroupMember[]): CombinedOutput {
  return combineOutputs(
    members.map(({ tool = "", command = "", path = "", text }) => ({
      title: [tool, command, path].filter((word) => word !== "").join(" "),
      output: text,
    })),
  );
}

/** A preview that names its own lines, as they are in the file below its header. */
function renderMember(member: GroupMember, at: PartPlace | undefined, place: GroupPlace): string {
  const { path, handle, readTool, budget } = place;
  const { firstLine = 1, lastLine = 1 } = at ?? {};
  const lines = `lines ${firstLine + ARTIFACT_HEADER_LINES}-${lastLine + ARTIFACT_HEADER_LINES}`;
  // The handle is the whole artifact's: a member has none of its own.
  return foldOutput(member.text, member, {
    budget: budget ?? MEMBER_BUDGET,
    path: `${path} ${lines} (${handle})`,
    readTool,
    hasHandle: false,
  }).text;
}

/** One of several outputs that share an artifact. */
export interface OutputPart {
  readonly title: string;
  readonly output: string;
}

/** Where a part stands in the combined text: what a preview quotes so that the reader opens the right lines. */
export interface PartPlace {
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface CombinedOutput {
  readonly text: string;
  readonly places: readonly PartPlace[];
}

/** Several outputs as one text. Each header tells its part's length, so parts come apart again whatever is in them. */
export function combineOutputs(parts: readonly OutputPart[]): CombinedOutput {
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

/** The parts again; `undefined` for a text that was not made by `combineOutputs`. */
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
