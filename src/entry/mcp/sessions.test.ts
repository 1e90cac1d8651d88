/** If red: a recall is answered from another project than the one it was asked in, or from a state of a store that has passed. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CODEX_SESSION, rollout, toLines } from "../../../test/support/host-lines.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createArtifactStore } from "../../files/artifacts/artifacts.ts";
import { fail } from "../../files/artifacts/store-result.ts";
import { callTool } from "./call-tool.ts";
import { findPlace } from "./place.ts";
import { createSessions } from "./sessions.ts";

const temporary = createTemporaryFolder();
const ID = "0199a000-0000-7000-8000-000000000001";

/** A server that Codex started in a plugin's folder, and a session of its that works elsewhere. */
function open() {
  const home = temporary.name("-home");
  const project = path.join(home, "work");
  const rollouts = path.join(home, ".codex/sessions/2026/01/01");
  for (const folder of [project, rollouts]) mkdirSync(folder, { recursive: true });
  const lines = [rollout("session_meta", { id: ID, cwd: project }), ...CODEX_SESSION.slice(1)];
  writeFileSync(path.join(rollouts, `rollout-2026-01-01T00-00-00-${ID}.jsonl`), toLines(lines));
  const kept = createArtifactStore(project, () => 0, path.join(home, ".claude/data/plimsoll")).keep({
    output: "every plank",
    tool: "exec_command",
    sessionId: ID,
  });
  const find = createSessions(findPlace({ HOME: home }, home));
  return { find, project, handle: kept.ok ? kept.value.handle : "" };
}

const said = (threadId: string) => ({ threadId, "x-codex-turn-metadata": { session_id: threadId } });

describe("a call that says whose it is", () => {
  it("is answered from that session's project, and the session is opened once", async () => {
    const { find, project, handle } = open();
    const { session } = find(said(ID));
    expect(session.place).toMatchObject({ project, sessionId: ID, host: { name: "codex" } });
    expect((await callTool(session, "recall", { handle })).blocks.join()).toContain("every plank");
    expect((await callTool(session, "state", {})).blocks.join()).toContain("request");
    expect(find(said(ID)).session).toBe(session);
  });

  it.each([
    ["nobody says", {}],
    ["the session is not recorded", said("0199a000-0000-7000-8000-00000000000f")],
    ["it is no name of a session", said("../../../../etc/passwd")],
    ["it says it in a form that is not the client's", { threadId: ID }],
  ])("is answered from where the server was started, where %s", (_why, meta) => {
    const { find, project } = open();
    expect(find(meta).session.place.project).toBe(path.dirname(project));
  });
});

describe("a store elsewhere", () => {
  it("that does not answer is away until it does, also where it does not have what is asked for", async () => {
    const home = temporary.name("-home");
    mkdirSync(home);
    let isAway = true;
    const read = async () => {
      if (isAway) throw new Error("no answer");
      return fail("notFound", "nothing is stored under that name");
    };
    const { session, fetch } = createSessions(findPlace({ HOME: home }, home), { read })({});
    const handle = "plimsoll:0123456789ab";
    const ask = async () => {
      await fetch?.({ handle });
      return (await callTool(session, "recall", { handle })).blocks.join();
    };
    expect(await ask()).toContain("the store cannot be read now");
    isAway = false;
    expect(await ask()).not.toContain("the store cannot be read now");
  });
});
