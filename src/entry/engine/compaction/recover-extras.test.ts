/** If red: pictures of messages that the engine did not see come in are lost at a compaction. */
import { describe, expect, it } from "vitest";
import { createFakeClient } from "../../../../test/support/fake-client.ts";
import { openLive } from "../open-live.ts";
import { parseRows } from "./compaction-event.ts";
import { recoverExtras } from "./row-extras.ts";

const PICTURE = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } };

describe("rows that nobody saw come in", () => {
  it("are read out of the conversation as it is sent: pictures of prompts and of results, kept under their handles", async () => {
    const fake = createFakeClient();
    fake.session.apiMessages = [
      {
        role: "user",
        content: [
          { type: "text", text: "<system-reminder>x</system-reminder>" },
          { type: "text", text: "look" },
          PICTURE,
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "Read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [PICTURE] }] },
    ];
    const live = await openLive(fake.client, fake.machine);
    const reported = parseRows([
      { role: "user", text: "look", toolUses: [], handle: "h0" },
      { role: "assistant", text: "", toolUses: [{ tool_use_id: "a", tool: "Read", input: {} }], handle: "h1" },
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "a", text: "" }], handle: "h2" },
    ]);
    const { rich } = await recoverExtras(live.conversation.beside, live.store, {
      reported,
      sent: fake.session.apiMessages,
    });
    expect(rich.map(({ row, callId }) => [row, callId])).toEqual([
      ["h0", ""],
      ["h2", "a"],
    ]);
    const [handle = ""] = /plimsoll:([0-9a-f]{12})/.exec(rich[1]?.parts.join() ?? "")?.slice(1) ?? [];
    expect(await live.store.read(handle)).toBe("data:image/png;base64,aGVsbG8=");
  });

  it("are not looked for where we saw them all", async () => {
    const fake = createFakeClient();
    const live = await openLive(fake.client, fake.machine);
    live.conversation = { ...live.conversation, beside: { ...live.conversation.beside, rows: ["h0"] } };
    const reported = parseRows([{ role: "user", text: "look", toolUses: [], handle: "h0" }]);
    expect(await recoverExtras(live.conversation.beside, live.store, { reported, sent: [] })).toBe(
      live.conversation.beside,
    );
  });
});
