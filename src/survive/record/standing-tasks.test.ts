/** If red: open tasks are left out of the record without being counted. */
import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { renderStandingRecord } from "./standing-record.ts";

type Story = ReturnType<typeof story>;

const creates = (session: Story, id: number, subject: string): Story =>
  session.calls("TaskCreate", { subject, description: "…" }, `Task #${id} created successfully: ${subject}`);

const updates = (session: Story, taskId: string, status: string): Story =>
  session.calls("TaskUpdate", { taskId, status }, `Updated task #${taskId} status`);

function createMany(count: number, name: (id: number) => string): Story {
  let session = story().asks("Refit the ship.");
  for (let id = 1; id <= count; id++) session = creates(session, id, name(id));
  return session;
}

const listOf = (session: Story): readonly string[] =>
  renderStandingRecord(session.happened())
    .split("\n")
    .filter((line) => line.startsWith("- "));

describe("open tasks in the record", () => {
  it("are all there, the one in progress first, then in the order of the list", () => {
    const session = updates(
      createMany(10, (id) => `Plank ${id}`),
      "2",
      "in_progress",
    );
    const rest = [1, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => `- Plank ${id}`);
    expect(listOf(session)).toEqual(["- in progress: Plank 2", ...rest]);
  });

  it("are shortened before one is left out, and what is left out is counted, with the way to get it", () => {
    const long = (id: number): string => `Plank ${id}: ${"measure it, cut it and tar both of its sides ".repeat(8)}`;
    const ten = listOf(createMany(10, long));
    expect(ten).toHaveLength(10);
    expect(ten[9]).toContain("Plank 10: measure it");
    const many = listOf(createMany(60, long));
    const left = 60 - (many.length - 1);
    expect(many.slice(0, 3).map((line) => line.slice(0, 9))).toEqual(["- Plank 1", "- Plank 2", "- Plank 3"]);
    expect(left).toBeGreaterThan(0);
    expect(many.at(-1)).toBe(`- ${left} more: read your task list`);
  });

  it("are counted where the list is older than what the user asked for last", () => {
    let session = createMany(4, (id) => `Plank ${id}`).asks("Something else: paint the mast red.");
    for (let index = 0; index < 40; index++) session = session.calls("Bash", { command: `paint ${index}` }, "ok");
    expect(listOf(session)).toEqual([]);
    expect(renderStandingRecord(session.happened())).toContain(
      "4 open tasks are older than the user's last request: read your task list",
    );
  });
});
