import { sha256 } from "../core/sha256.ts";
import { ARTIFACT_HEADER_LINES } from "./artifact-file.ts";
import { combineOutputs } from "./combine-outputs.ts";
import { foldOutput } from "./fold-output.ts";
import type { Hint } from "./hint.ts";
import { nameHandle } from "./marker.ts";

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

/** Of each: five together take about what two single previews take. */
const MEMBER_BUDGET = 480;

/**
 * Several outputs in one artifact, each replaced by a small preview that names its own lines in it.
 * `path` is where the artifact will lie; lines are quoted as they are in that file, below its header.
 */
export function foldGroup(members: readonly GroupMember[], path: string, budget: number = MEMBER_BUDGET): FoldedGroup {
  const { text, places } = combineOutputs(
    members.map(({ tool = "", command = "", path: read = "", text: output }) => ({
      title: [tool, command, read].filter((word) => word !== "").join(" "),
      output,
    })),
  );
  const hash = sha256(text);
  const handle = nameHandle(hash);
  const replacements = members.map((member, index) => {
    const { firstLine = 1, lastLine = 1 } = places[index] ?? {};
    const lines = `lines ${firstLine + ARTIFACT_HEADER_LINES}-${lastLine + ARTIFACT_HEADER_LINES}`;
    // The handle is the whole artifact's: a member has none of its own.
    const folded = foldOutput(member.text, member, { budget, path: `${path} ${lines} (${handle})`, hasHandle: false });
    return { id: member.id, text: folded.text };
  });
  return { artifact: text, sha256: hash, handle, replacements };
}
