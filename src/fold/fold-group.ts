import { ARTIFACT_HEADER_LINES } from "./artifact-file.ts";
import { foldOutput } from "./fold-output.ts";
import type { Hint } from "./hint.ts";
import { countLines, MEMBER_BUDGET } from "./thresholds.ts";

export interface GroupMember extends Hint {
  readonly id: string;
  readonly text: string;
}

/** Where the artifact of a group is stored. */
export interface GroupPlace {
  readonly path: string;
  readonly handle: string;
  readonly readTool?: string | undefined;
}

/**
 * For the newest of several outputs, about to join a conversation which already holds the others. `artifact` has all of them; store it
 * before replacing the newest. Its preview quotes line numbers of the artifact file, below that file's header.
 */
export function planLast(
  earlier: readonly GroupMember[],
  last: GroupMember,
): { readonly artifact: string; readonly render: (place: GroupPlace) => string } {
  const size = earlier.length + 1;
  const before = earlier.map((member, index) => renderMember(member, `${index + 1}/${size}`)).join("");
  const heading = ARTIFACT_HEADER_LINES + countLines(before) + 1;
  const lines = `lines ${heading + 1}-${heading + Math.max(1, countLines(last.text))}`;
  return {
    artifact: before + renderMember(last, `${size}/${size}`),
    render({ path, handle, readTool }) {
      // The handle names the whole artifact; a member has none of its own.
      const named = `${path} ${lines} (${handle})`;
      return foldOutput(last.text, last, { budget: MEMBER_BUDGET, path: named, readTool, hasHandle: false }).text;
    },
  };
}

/** The heading holds the length, so that the members can be told apart whatever they contain. */
function renderMember({ tool = "", command = "", path = "", text }: GroupMember, place: string): string {
  const title = [tool, command, path].filter((word) => word !== "").join(" ");
  return `## ${place} (${text.length} chars) ${title.replace(/[\r\n\u2028\u2029]+/g, " ⏎ ")}\n${text}\n\n`;
}
