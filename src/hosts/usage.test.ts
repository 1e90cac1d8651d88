/** If red: a record that was written twice is billed twice, or a session has a name that was changed since. */
import { describe, expect, it } from "vitest";
import { answer, usage } from "../../test/support/session-events.ts";
import { emptyEntry, type TranscriptEntry } from "./transcript-entry.ts";
import { createAccounts } from "./usage.ts";

function account(...entries: readonly Partial<TranscriptEntry>[]) {
  const keeper = createAccounts();
  for (const entry of entries) keeper.follow({ ...emptyEntry, type: "assistant", ...entry });
  return keeper.close();
}

const billed = (stepId: string) => [answer(stepId, usage({ input: 5 }))];

describe("what a session was billed", () => {
  it("counts a record that was written twice once", () => {
    const record = { uuid: "a", events: billed("m1") };
    expect(account(record, record, { uuid: "b", events: billed("m2") }).steps.map(({ stepId }) => stepId)).toEqual([
      "m1",
      "m2",
    ]);
    const again = { uuid: "a", events: [answer("m9", usage({ input: 5 }))] };
    expect(account(record, again).steps).toHaveLength(1);
  });

  it("is of the session by its newest title", () => {
    expect(account({ title: "Paint the mast" }, { title: "" }, { title: "Caulk the stern" }).title).toBe(
      "Caulk the stern",
    );
  });

  it("takes no two records for one because neither has an id", () => {
    expect(account({ events: billed("m1") }, { events: billed("m2") }).steps).toHaveLength(2);
  });
});
