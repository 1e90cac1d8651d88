/** If red: a compaction loses pictures, results of a megabyte, reports of subagents, or what came of a broken answer. */

import { createRequire } from "node:module";
import { afterEach, describe, expect, it } from "vitest";
import { answer, breakStream, call } from "../api/replies.ts";
import type { Answer, BrokenStream, Reply } from "../api/scenario.ts";
import { expectLawful } from "../laws/verdict.ts";
import { type Play, play, sent } from "./play.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

function work(step: number): Answer {
  return answer(
    `Plank row ${step}.`,
    call("Bash", { command: `for i in $(seq 1 40); do echo "step ${step} plank $i is tight"; done` }),
    call("Bash", { command: `echo seam ${step}` }),
  );
}
const ROWS: readonly Reply[] = [1, 2, 3, 4, 5].map(work);

/** A server of pictures and words that comes as a package. */
const SERVER = JSON.stringify({
  mcpServers: {
    every: {
      type: "stdio",
      command: process.execPath,
      args: [createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
    },
  },
});

describe("through a compaction nothing is lost of", () => {
  it("what an MCP server says, in words and pictures", async () => {
    const tools = ["get-tiny-image", "echo", "get-annotated-message"].map((name) => `mcp__every__${name}`);
    const [image = "", echo = "", annotated = ""] = tools;
    const session = await open({
      main: [
        answer(call(image, {}), call(echo, { message: `from the crow's nest ${"x".repeat(30_000)}` })),
        answer(call(annotated, { messageType: "error", includeImage: true })),
        ...ROWS,
        answer(call(image, {}), call(echo, { message: "near the end" })),
        answer("Heard."),
        answer("Painted."),
      ],
    });
    await session.workspace.writeFile("servers.json", SERVER);
    const args = ["--mcp-config", `${session.workspace.cwd}/servers.json`];
    await session.run({ prompts: ["Listen.", "/compact", "Go on."], args });
    expect(JSON.stringify(session.api.requests.at(-3)?.body.messages)).toContain('"type":"image"');
    expectLawful(await session.audit({ mayRewind: false }));
  });

  it("results of a megabyte, folded as they came in", async () => {
    const session = await open({
      main: [
        answer(call("Bash", { command: "seq 1 150000" }), call("Bash", { command: "seq 1 150000; exit 4" })),
        ...ROWS,
        answer(call("Bash", { command: "seq 200000 350000" })),
        answer("Counted."),
        answer("Painted."),
      ],
    });
    await session.run({ prompts: ["Count.", "/compact", "Go on."] });
    const verdict = await session.audit({ mayRewind: false });
    expectLawful(verdict);
    expect(verdict.handlesFetched).toBeGreaterThan(1);
  });

  it("what subagents were asked and reported, and what ran in the background", async () => {
    const report = `The hold is dry. ${"Frame by frame it was looked at. ".repeat(40)}`;
    const session = await open({
      main: [
        answer(
          call("Agent", { description: "Look", prompt: "Look into the hold.", subagent_type: "Explore" }),
          call("Agent", { description: "Look", prompt: "Look at the mast.", subagent_type: "Explore" }),
        ),
        answer(call("Bash", { command: "sleep 1; echo pumped", run_in_background: true })),
        ...ROWS,
        answer(call("Bash", { command: "sleep 2; echo waited" })),
        answer("Reported."),
        answer("Painted."),
        answer("Nothing else."),
      ],
      subagents: [[answer(call("Bash", { command: "echo looked" })), answer(report)], [answer("The mast stands.")]],
    });
    await session.run({ prompts: ["Report.", "/compact", "Go on."] });
    expect(session.api.requests.some(({ lane }) => lane === "subagent")).toBe(true);
    expectLawful(await session.audit({ mayRewind: false }));
  });

  it("answers that end in mid-stream, whichever way, one of their calls run already", async () => {
    const torn = (how: BrokenStream["how"], step: number): Reply => breakStream(how, work(step), 9);
    const main = [
      work(1),
      torn("error_event", 2),
      work(2),
      torn("reset", 3),
      ...[3, 4, 5].map(work),
      torn("half_frame", 6),
      work(6),
      answer("Done."),
      answer("On."),
    ];
    const session = await open({ main });
    await session.run({ prompts: ["Paint it.", "/compact", "Go on."], timeoutMs: 150_000 });
    expect(session.api.requests.length).toBeGreaterThan(main.length - 1);
    expectLawful(await session.audit({ mayRewind: false }));
  });

  it("two sessions in one project, side by side", async () => {
    const session = await open({ main: (_, step) => (step % 8 < 6 ? work(step) : answer(`Row ${step} is done.`)) });
    const runs = ["Paint the port side.", "Paint the starboard side."].map((prompt) =>
      session.run({ prompts: [prompt, "/compact", "Go on."], timeoutMs: 120_000 }),
    );
    const [port, starboard] = await Promise.all(runs);
    expect(port?.sessionId).not.toBe(starboard?.sessionId);
    for (const side of [port, starboard]) expectLawful(await session.audit({ mayRewind: false }, side?.sessionId));
    const mixed = session.api.requests.filter((request) =>
      /port side[\s\S]*starboard side|starboard side[\s\S]*port side\./.test(sent(request)),
    );
    expect(mixed).toEqual([]);
  });

  it("a /compact with instructions, and of a session that is cleared and goes on as another", async () => {
    const session = await open({
      main: [...ROWS, answer("Done."), answer("So."), work(6), answer("Fresh."), answer("End.")],
    });
    await session.run({
      prompts: ["Paint it.", "/compact keep the shade of red", "Go on.", "/clear", "Begin anew.", "And on."],
    });
    const sessions = new Set(session.api.requests.map(({ headers }) => headers["x-claude-code-session-id"]));
    expect(sessions.size).toBe(2);
    expect(
      session.api.requests.some((request) => sent(request).includes('keep in mind: "keep the shade of red"')),
    ).toBe(true);
    expectLawful(await session.audit({ mayRewind: false }));
  });
});
