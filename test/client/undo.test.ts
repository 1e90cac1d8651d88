/** If red: a fold cannot be undone in the conversation that it was made in. */

import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { sha256 } from "../../src/core/sha256.ts";
import { nameHandle } from "../../src/fold/marker.ts";
import { answer, call } from "../api/replies.ts";
import { some } from "../support/depth.ts";
import { CLIENT_VERSIONS, fetchClient } from "./fetch-client.ts";
import { PLUGIN_CLASSIC, type Play, play, sent } from "./play.ts";
import { renderEnvironment } from "./render-command.ts";

const PROGRAM = resolve(import.meta.dirname, "../../dist/plimsoll.cjs");
let session: Play | undefined;
afterEach(async () => {
  await session?.close();
});

const LOG = Array.from({ length: 600 }, (_, index) => `step ${index}: planked and "caulked", tide ${index % 7}`).join(
  "\n",
);

describe.each(some(1, CLIENT_VERSIONS.toReversed()))("undoing a fold in the client %s", (version) => {
  it("puts the original, byte for byte, into the same conversation as a new turn", async () => {
    session = await play({
      main: [answer(call("Bash", { command: "cat build.log" }, "toolu_b")), answer("Folded."), answer("I see it all.")],
    });
    const { workspace, api } = session;
    const { cwd, home } = workspace;
    await workspace.writeFile("build.log", LOG);
    const { sessionId } = await session.run({ version, prompts: ["Build."], plugins: [PLUGIN_CLASSIC] });
    expect(sent(api.requests.at(-1))).not.toContain(LOG);

    // As `plimsoll undo` itself says it.
    const undo = `'${process.execPath}' '${PROGRAM}' undo ${nameHandle(sha256(LOG))} --raw`;
    const client = `'${await fetchClient(version)}' -p --resume ${sessionId} --model claude-sonnet-4-6`;
    await mkdir(join(home, "tmp"), { recursive: true });
    const env = renderEnvironment({ version, prompts: [], cwd, home, apiUrl: api.url }, join(home, "tmp"));
    const line = `${undo} | ${client} "The text that was removed earlier follows."`;
    const { stdout } = await promisify(execFile)("bash", ["-c", line], { cwd, env, timeout: 60_000 });

    expect(stdout).toContain("I see it all.");
    const { messages = [] } = api.requests.at(-1)?.body ?? {};
    const prompt = JSON.stringify(messages.filter(({ role }) => role === "user").at(-1)?.content);
    expect(prompt).toContain("The text that was removed earlier follows.");
    expect(prompt).toContain(JSON.stringify(LOG).slice(1, -1));
    expect(sent(api.requests.at(-1))).toContain("[FOLDED: Bash output");
  });
});
