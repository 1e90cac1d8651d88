/** If red: what the client's own summary forgot is not put back, or is put between a call and its result. */
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../../test/support/fake-client.ts";
import { asks, edits, says, toEvents } from "../../../../test/support/session-story.ts";
import type { JsonObject } from "../../../core/json.ts";
import { followRow } from "../append.ts";
import { type Live, saveLive } from "../live.ts";
import { openLive } from "../open-live.ts";
import { handleCompaction } from "./compact.ts";
import { checkRepair } from "./repair-native.ts";

const LOST = "Leave the anchor chain alone.";
const SUMMARY = { role: "user", text: "The load line is painted.", toolUses: [], handle: "s" };
const KEPT = ["First coat.", "Second coat."].map((text) => ({ role: "assistant", text, toolUses: [], handle: text }));
const BOUNDARY: JsonObject = {
  door: "compaction",
  uuid: "boundary",
  message: { type: "system", name: "compact_boundary", content: [] },
};

let fake: FakeClient;
let live: Live;
beforeEach(async () => {
  fake = createFakeClient();
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, '{"compaction": "native"}');
  live = await openLive(fake.client, fake.machine);
  live.watch.events(toEvents(asks(`Paint the load line. ${LOST}`), says("First coat."), says("Second coat.")));
});

async function compact(messages: readonly JsonObject[]): Promise<boolean> {
  const result = { messages };
  const e = { trigger: "manual", messages: KEPT };
  return (await handleCompaction(fake.client, live, e, async () => result)) === result;
}

function row(entryPoint: string, block: JsonObject): JsonObject {
  const type = entryPoint === "response" ? "assistant" : "user";
  return { door: entryPoint, uuid: `${entryPoint} ${JSON.stringify(block)}`, message: { type, content: [block] } };
}
const follow = (e: JsonObject): Promise<unknown> => followRow(fake.client, live, e, async () => ({}));
const answered = (text: string): JsonObject => row("response", { type: "text", text });
const prompt = (text: string): JsonObject => row("prompt", { type: "text", text });

describe("what the client is told to keep", () => {
  const instructions = async (): Promise<unknown> => {
    let given: unknown;
    await handleCompaction(
      fake.client,
      live,
      { trigger: "manual", messages: KEPT, instructions: "the red" },
      async (e) => {
        given = e.instructions;
        return { skip: "no" };
      },
    );
    return given;
  };

  it("is nothing next to the person's own words where there is nothing to name", async () => {
    expect(await instructions()).toContain(`THE USER'S STANDING RULES:\n  • "${LOST}"`);
    live = await openLive(fake.client, fake.machine);
    live.watch.events(toEvents(asks("Paint the load line."), says("First coat.")));
    expect(await instructions()).toBe("the red");
  });

  it("[R173] is what the session's own edits changed since its last commit", async () => {
    live.watch.events(toEvents(edits(`${fake.session.root}/hull.ts`)));
    expect(await instructions()).toContain("📦 GIT DIFF STAT:\n  hull.ts | ");
  });
});

describe("what the client's summary lost", () => {
  it("is added to an answer that is a summary alone, since nothing in it can stand twice", async () => {
    expect(await compact([SUMMARY])).toBe(false);
    expect(live.life.repair?.due).toBe("");
  });

  it("leaves an answer that keeps rows as it is, and stands behind the last of them once they are told again", async () => {
    expect(await compact([SUMMARY, ...KEPT])).toBe(true);
    await follow(BOUNDARY);
    await follow(answered("First coat."));
    expect(fake.appended).toEqual([]);
    await follow(answered("Second coat."));
    expect(fake.appended).toEqual([expect.stringContaining(LOST)]);
    await follow(prompt("Go on."));
    expect(fake.appended).toHaveLength(1);
  });

  it("stands behind the next prompt where the client tells nothing of what it kept", async () => {
    await compact([SUMMARY, ...KEPT]);
    await follow(prompt("Go on."));
    expect(fake.appended).toEqual([expect.stringContaining(LOST)]);
  });

  it("stands behind the next result in the middle of a turn, never between a call and its result", async () => {
    await compact([SUMMARY, ...KEPT]);
    await follow(BOUNDARY);
    await follow(row("response", { type: "tool_use", id: "c1", name: "Bash", input: {} }));
    expect(fake.appended).toEqual([]);
    await follow(row("tool-result", { type: "tool_result", tool_use_id: "c1", content: "dry" }));
    expect(fake.appended).toEqual([expect.stringContaining(LOST)]);
  });

  it("is not said to be missing while it waits", async () => {
    await compact([SUMMARY, ...KEPT]);
    await checkRepair(fake.client, live);
    expect(live.life.repair?.lost).toBeDefined();
  });

  it("is put back by a later process where the first one ended before", async () => {
    await compact([SUMMARY, ...KEPT]);
    await saveLive(live);
    live = await openLive(fake.client, fake.machine);
    await follow(prompt("And now?"));
    expect(fake.appended).toEqual([expect.stringContaining(LOST)]);
  });
});
