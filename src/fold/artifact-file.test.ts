/** If red: the readable file of an output does not hold it whole, or shows a secret of its command. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryUnits } from "../../test/support/arbitrary-session.ts";
import { tries } from "../../test/support/depth.ts";
import { ARTIFACT_HEADER_LINES, nameArtifactFile, renderArtifactFile } from "./artifact-file.ts";

const FILE = { tool: "Bash", generated: "2026-01-02T03:04:05.678Z", command: "npm test", output: "one\ntwo\n" };

const outputOf = (file: string): string => file.split("\n").slice(ARTIFACT_HEADER_LINES).join("\n");

describe("renderArtifactFile", () => {
  it("[R59] has a header of three lines, a blank line and the full output", () => {
    expect(renderArtifactFile(FILE)).toBe(
      "# Artifact: Bash output\nGenerated: 2026-01-02T03:04:05.678Z\nCommand: npm test\n\none\ntwo\n",
    );
    expect(renderArtifactFile(FILE).split("\n")[ARTIFACT_HEADER_LINES]).toBe("one");
  });

  it("[R59] gives the output back byte for byte, whatever is in it", () => {
    fc.assert(
      fc.property(arbitraryUnits(80), arbitraryUnits(40), arbitraryUnits(200), (tool, command, output) => {
        expect(outputOf(renderArtifactFile({ ...FILE, tool, command, output }))).toBe(output);
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("[R64] strikes secrets out of the command, and leaves the output alone", () => {
    const secret = `sk-ant-api03-${"a1B2".repeat(8)}`;
    const file = renderArtifactFile({ ...FILE, command: `curl -H "x-api-key: ${secret}"`, output: secret });
    expect(file.split("\n")[2]).toBe('Command: curl -H "x-api-key: [REDACTED]"');
    expect(outputOf(file)).toBe(secret);
  });

  it("puts a command of several lines on one", () => {
    expect(renderArtifactFile({ ...FILE, command: "cd a\n\nls" }).split("\n")[2]).toBe("Command: cd a ⏎ ls");
  });
});

describe("nameArtifactFile", () => {
  it.each([
    ["Bash", 1, "artifact-2026-01-02T03-04-05-678Z-Bash.md"],
    ["Bash", 3, "artifact-2026-01-02T03-04-05-678Z-Bash-3.md"],
    ["mcp__linear-server__get_issue", 1, "artifact-2026-01-02T03-04-05-678Z-mcp__linear-server__get_issue.md"],
    ["../../etc/passwd", 1, "artifact-2026-01-02T03-04-05-678Z-etc-passwd.md"],
    ['Task" >\n<x', 1, "artifact-2026-01-02T03-04-05-678Z-Task-x.md"],
    ["", 1, "artifact-2026-01-02T03-04-05-678Z-tool.md"],
  ])("[R59] names the output of %j, copy %i", (tool, copy, name) => {
    expect(nameArtifactFile(FILE.generated, tool, copy)).toBe(name);
  });
});
