/** If red: with the command hooks a folded original cannot be fetched back by the tool that its marker names. */

import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { sha256 } from "../../src/core/sha256.ts";
import { createArtifactStore } from "../../src/files/artifacts/artifacts.ts";
import { nameHandle } from "../../src/fold/marker.ts";
import { answer, call } from "../api/replies.ts";
import { some } from "../support/depth.ts";
import { bodyOf } from "../support/recalled.ts";
import { CLIENT_VERSIONS } from "./fetch-client.ts";
import { PLUGIN_CLASSIC, type Play, play, resultIn } from "./play.ts";

const TOOL = "mcp__plugin_plimsoll-classic_plimsoll__recall";
const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

/** Its pages begin and end with blanks; the whole does not, because the client takes those away. */
const LOG = Array.from({ length: 480 }, (_, index) => `  step ${index}: planked and caulked, tide ${index % 7}  `)
  .join("\n")
  .trim();

describe.each(some(1, CLIENT_VERSIONS.toReversed()))("the plugin's server in the client %s", (version) => {
  it("gives the model a folded original back byte for byte, by the tool that the marker names", async () => {
    const handle = nameHandle(sha256(LOG));
    const session = await open({
      main: [
        answer(call("Bash", { command: "cat build.log" }, "toolu_b")),
        answer(call(TOOL, { handle }, "toolu_r")),
        answer("Recalled."),
      ],
    });
    await session.workspace.writeFile("build.log", LOG);
    await session.run({ version, prompts: ["Build."], plugins: [PLUGIN_CLASSIC], args: ["--allowedTools", TOOL] });
    const marker = resultIn(session.api.requests.at(-1), "toolu_b");
    expect(marker).toContain("[FOLDED: Bash output");
    expect(marker).toContain(`(${handle})`);
    expect(marker).toContain(`To read a part of it, use ${TOOL}`);
    expect(bodyOf(resultIn(session.api.requests.at(-1), "toolu_r"))).toBe(LOG);
  });

  it("answers for an original of 5 MB with a page and the way to the next", async () => {
    const output = `${"x".repeat(79)}\n`.repeat(65_536);
    const handle = nameHandle(sha256(output));
    const unknown = call(TOOL, { handle: "plimsoll:000000000000" }, "toolu_e");
    const played = await open({ main: [answer(call(TOOL, { handle }, "toolu_p"), unknown), answer("Paged.")] });
    createArtifactStore(played.workspace.cwd, Date.now, path.join(played.workspace.home, ".claude/data/plimsoll")).keep(
      { output, tool: "Bash" },
    );
    await played.run({
      version,
      prompts: [`Recall ${handle}.`],
      plugins: [PLUGIN_CLASSIC],
      args: ["--allowedTools", TOOL],
    });
    const shown = resultIn(played.api.requests.at(-1), "toolu_p");
    expect(shown.length).toBeLessThan(50_000);
    expect(shown).toMatch(/\n\[page 1 of \d+; page 2 continues; pass lines or pattern for a part\]$/);
    expect(bodyOf(shown).length).toBeGreaterThan(29_000);
    expect(output.startsWith(bodyOf(shown))).toBe(true);
    expect(JSON.stringify(played.api.requests.at(-1)?.body.messages)).toMatch(
      /Nothing is kept under[^}]*Nearest known: plimsoll:[^}]*"is_error":true/,
    );
  });

  it("tells search, list, state and health of the very session", async () => {
    const ask = (name: string, input = {}) => call(TOOL.replace("recall", name), input, `toolu_${name}`);
    const session = await open({
      main: [
        answer(call("Bash", { command: "cat build.log" }, "toolu_b")),
        answer(ask("search", { query: "step 479" }), ask("list"), ask("state"), ask("health")),
        answer("Told."),
      ],
    });
    await session.workspace.writeFile("build.log", LOG);
    const tools = ["search", "list", "state", "health"].map((name) => TOOL.replace("recall", name)).join(",");
    await session.run({
      version,
      prompts: ["Caulk the seams."],
      plugins: [PLUGIN_CLASSIC],
      args: ["--allowedTools", `Bash,${tools}`],
    });
    const said = (name: string) => resultIn(session.api.requests.at(-1), `toolu_${name}`);
    expect(said("search")).toMatch(/plimsoll:[0-9a-f]{12} line 480: +step 479/);
    expect(said("list")).toContain("[1 originals");
    expect(said("state")).toContain("Caulk the seams.");
    expect(said("health")).toContain("of the load line");
  });
});

describe("the tools in the first request of the client 2.1.325", () => {
  it("hold the schema of recall, and the others only by name", async () => {
    const session = await open({ main: [answer("Hello.")] });
    await session.run({ version: "2.1.325", prompts: ["Hello."], plugins: [PLUGIN_CLASSIC] });
    const { tools } = session.api.requests[0]?.body ?? {};
    const listed = JSON.stringify(tools);
    expect(listed).toContain(`"${TOOL}"`);
    expect(listed).not.toContain(TOOL.replace("recall", "search"));
    expect(JSON.stringify(session.api.requests[0]?.body)).toContain(TOOL.replace("recall", "search"));
  });
});
