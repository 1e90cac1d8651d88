/** If red: the hooks count what subagents say as the main conversation's. */
import { appendFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createHookStage } from "../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, prompt, toolResult } from "../../../test/support/transcript-lines.ts";
import { openSessionData, type SessionData } from "./session-data.ts";

const temporary = createTemporaryFolder();
let count = 0;

function open() {
  const stage = createHookStage(path.join(temporary.folder, String(++count)));
  const read = async (): Promise<SessionData> => {
    let data: SessionData | undefined;
    await stage.fire((context) => {
      data = openSessionData(context);
      return {};
    }, "Stop");
    if (data === undefined) throw new Error("there is no transcript");
    return data;
  };
  const words = async (): Promise<readonly string[]> => (await read()).happened().state.words.map(({ text }) => text);
  return { stage, read, words };
}

describe("openSessionData", () => {
  it("leaves out what subagents say in the same file", async () => {
    const { stage, read } = open();
    stage.write(prompt("Sail."), answer("m1", ["Sailing."]), { ...answer("m2", ["Aside."]), isSidechain: true });
    expect((await read()).meter().steps).toBe(1);
  });

  it("understands only the end of a long transcript that it meets for the first time, and all that follows", async () => {
    const { stage, read, words } = open();
    stage.write(prompt("Long ago."));
    for (let line = 0; line < 34; line++) stage.write(toolResult(`t${line}`, "x".repeat(1 << 20)));
    stage.write(prompt("Just now."), answer("m1", ["Yes."]));
    expect(await words()).toEqual(["Just now."]);
    (await read()).save();
    for (let line = 0; line < 34; line++) stage.write(toolResult(`u${line}`, "x".repeat(1 << 20)));
    stage.write(prompt("And then."));
    expect(await words()).toEqual(["Just now.", "And then."]);
  });

  it("waits for a line that is still being written", async () => {
    const { stage, read, words } = open();
    stage.write(prompt("Sail."));
    appendFileSync(stage.transcript, '{"type":"user","uuid":"half');
    (await read()).save();
    appendFileSync(stage.transcript, '-1","message":{"role":"user","content":"Anchor."}}\n');
    expect(await words()).toEqual(["Sail.", "Anchor."]);
  });
});
