import path from "node:path";
import { describe, expect, it } from "vitest";
import { contextOf, createHookStage } from "../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sessionStart } from "./events/session-start.ts";
import type { Hook } from "./hook.ts";
import { tellDocRules } from "./inject-docs.ts";

const temporary = createTemporaryFolder();
const edited: Hook = (input, context) => ({ output: { additionalContext: tellDocRules(input, context).text } });

describe("tellDocRules", () => {
  it("[R151] tells the conventions at the first change of a document, and again after a compaction", async () => {
    const stage = createHookStage(temporary.folder);
    const edit = (name: string, tool = "Edit") =>
      stage.fire(edited, "PostToolUse", {
        tool_name: tool,
        tool_use_id: "t1",
        tool_input: { file_path: path.join(stage.project, name) },
      });
    expect(contextOf(await edit("src/a.ts"))).toBe("");
    expect(contextOf(await edit("docs/a.md", "Read"))).toBe("");
    expect(contextOf(await edit("docs/a.md"))).toContain("document of the project");
    expect(contextOf(await edit("docs/b.md", "Write"))).toBe("");
    await stage.fire(sessionStart, "SessionStart", { source: "compact" });
    expect(contextOf(await edit("docs/b.md", "Write"))).toContain("document of the project");
  });
});
