/** If red: what a Codex compaction dropped is not noticed and so not put back. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rollout, said, toLines } from "../../../../../test/support/host-lines.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { readAftermath } from "./client.ts";

const temporary = createTemporaryFolder();
const message = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const BEFORE = toLines([said("developer", "told before"), rollout("token_usage_record", {})]);

function read(...records: readonly object[]) {
  const file = temporary.name("-rollout.jsonl");
  writeFileSync(file, BEFORE + toLines(records));
  return readAftermath(file, Buffer.byteLength(BEFORE));
}

describe("what a rollout tells of a compaction", () => {
  it("is its summary, what was kept next to it, what was told since, and the answers since", () => {
    const replacement_history = [message("Caulk the hull."), message("The summary: caulked.")];
    const found = read(
      rollout("compacted", { message: "The summary: caulked.", replacement_history }),
      said("developer", "told since"),
      rollout("token_usage_record", {}),
    );
    expect(found).toMatchObject({ hasBoundary: true, isSealed: false, contexts: "told since" });
    expect(found.summary).toBe("The summary: caulked.\nCaulk the hull.");
    expect(found.answers).toHaveLength(1);
  });

  it("says where the summary is sealed, and has only the words next to it", () => {
    const replacement_history = [message("Caulk the hull."), { type: "compaction", encrypted_content: "sealed" }];
    expect(read(rollout("compacted", { message: "", replacement_history }))).toMatchObject({
      isSealed: true,
      summary: "Caulk the hull.",
    });
  });

  it("is nothing before it is recorded, and where it is only spoken of", () => {
    expect(read(said("user", 'a line with "type":"compacted" in it')).hasBoundary).toBe(false);
    expect(read().hasBoundary).toBe(false);
  });
});
