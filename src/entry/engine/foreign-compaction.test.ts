/** If red: the mode or a wish for short answers is forgotten after a compaction by the client itself. */
import { describe, expect, it } from "vitest";
import { setAgreed } from "../../../test/support/agree.ts";
import { createFakeClient } from "../../../test/support/fake-client.ts";
import type { JsonObject } from "../../core/json.ts";
import { followRow } from "./append.ts";
import { handleCompaction } from "./compaction/compact.ts";
import { openLive } from "./open-live.ts";
import { sayAtPrompt, sayBeforePrompt } from "./say.ts";

const below = async (): Promise<unknown> => ({});
const BOUNDARY: JsonObject = {
  door: "compaction",
  uuid: "boundary",
  message: { type: "system", name: "compact_boundary", content: [] },
};

function prompt(words: string): JsonObject {
  return { door: "prompt", uuid: words, message: { type: "user", content: [{ type: "text", text: words }] } };
}

describe("after a compaction that somebody else made", () => {
  it("the person's wish for few words is told again", async () => {
    const { client, machine, appended } = createFakeClient();
    const live = await openLive(client, machine);
    await sayAtPrompt(client, live, "be brief");
    await followRow(client, live, BOUNDARY, below);
    await sayBeforePrompt(client, live);
    await sayAtPrompt(client, live, "Paint it.");
    expect(appended).toHaveLength(2);
  });

  it("because ours could not be kept, the mode is told again, and the answer does not count", async () => {
    const fake = createFakeClient();
    fake.files.set(`${fake.home}/plugin/contexts/dev.md`, "Write code first.");
    setAgreed(fake, `${fake.session.root}/.plimsoll/active-context.md`, "dev");
    const live = await openLive(fake.client, fake.machine);
    fake.block(live.folder, "file");
    await sayAtPrompt(fake.client, live, "one");
    const messages = [
      { role: "assistant", text: "", toolUses: [{ tool_use_id: "c1", tool: "Bash", input: {} }] },
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "c1", text: "plank ".repeat(9000) }] },
      ...["ok", "one", "two"].flatMap((text) => [
        { role: "assistant", text, toolUses: [] },
        { role: "user", text, toolUses: [] },
      ]),
    ];
    const foreign = { messages: [] };
    expect(await handleCompaction(fake.client, live, { trigger: "auto", messages }, async () => foreign)).toBe(foreign);
    await followRow(fake.client, live, BOUNDARY, below);
    const before = fake.appended.length;
    await sayBeforePrompt(fake.client, live);
    await sayAtPrompt(fake.client, live, "two");
    expect(fake.appended).toHaveLength(before + 1);
    expect(live.totals.compactions).toBe(0);
  });
});

describe("after a compaction of ours", () => {
  it("a prompt that is told again asks nothing a second time", async () => {
    const { client, machine, appended } = createFakeClient();
    const live = await openLive(client, machine);
    const question = "How much context is left?";
    await followRow(client, live, prompt(question), below);
    expect(appended).toHaveLength(1);
    const messages = [{ role: "user", text: question, toolUses: [], handle: "h" }];
    await handleCompaction(client, live, { trigger: "auto", messages }, below);
    await followRow(client, live, BOUNDARY, below);
    await followRow(client, live, prompt(question), below);
    expect(appended).toHaveLength(1);
  });
});
