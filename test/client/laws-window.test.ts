/** If red: a compaction in the middle of a turn loses something, or a window that is small ends the session. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call, overflow, think } from "../api/replies.ts";
import type { Answer, Reply } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { expectLawful } from "../laws/verdict.ts";
import { some } from "../support/depth.ts";
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

const SMALL_WINDOW = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" };
/** As if the request had been as heavy as this: the client compacts before its next one. */
const FULL = { input_tokens: 90_000 };

/** Thought about, three calls at once, one of them failing. */
function work(step: number): Answer {
  return answer(
    think(`row ${step}`),
    `Plank row ${step}.`,
    call("Bash", { command: `for i in $(seq 1 40); do echo "step ${step} plank $i is tight"; done` }),
    call("Bash", { command: `echo seam ${step}` }),
    call("Bash", { command: `echo "no rope ${step}" >&2; exit 3` }),
  );
}

describe("a compaction in the middle of a turn", () => {
  it.each(some(1, ["claude-opus-5-5", "claude-sonnet-4-6"]))(
    "keeps what the client says at the start of a window, and every word through a resume and a --continue, on %s",
    async (model) => {
      const replies: Reply[] = [
        work(1),
        work(2),
        work(3),
        work(4),
        { ...work(5), usage: FULL },
        work(6),
        answer("Done."),
      ];
      const session = await open({ main: [...replies, work(7), answer("So."), work(8), answer("Well.")] });
      await session.workspace.writeFile("CLAUDE.md", "Always say aye.\n");
      const run = await session.run({ prompts: ["Paint it."], env: SMALL_WINDOW, model });
      const before = session.api.requests.length;
      await session.run({ prompts: ["Go on."], resume: run.sessionId, env: SMALL_WINDOW, model });
      await session.run({ prompts: ["And on."], args: ["--continue"], env: SMALL_WINDOW, model });

      const compacted = session.api.requests.find((request) => sent(request).includes("replaced by this record"));
      for (const words of ["# Environment", "Always say aye.", "Available agent types", "available via ToolSearch"])
        expect(sent(compacted)).toContain(words);
      expect(session.api.requests.length).toBeGreaterThan(before + 3);
      expectLawful(await session.audit({ mayRewind: false }));
    },
  );

  it("carries that plan mode is active", async () => {
    const look = (step: number): Answer => answer(`Look ${step}.`, call("Bash", { command: `echo looked ${step}` }));
    const main = [look(1), look(2), look(3), look(4), { ...look(5), usage: FULL }, look(6), answer("Planned.")];
    const session = await open({ main });
    await session.run({
      prompts: ["Plan it."],
      env: SMALL_WINDOW,
      args: ["--permission-mode", "plan", "--allowedTools", "Bash"],
    });
    const at = session.api.requests.findIndex((request) => sent(request).includes("replaced by this record"));
    expect(at).toBeGreaterThan(0);
    expect(sent(session.api.requests[at - 1])).toContain("Plan mode is active");
    for (const request of session.api.requests.slice(at)) expect(sent(request)).toContain("Plan mode is active");
    expectLawful(await session.audit({ mayRewind: false }));
  });

  it("comes when the API says that the prompt is too long, and nothing is lost", async () => {
    const main = [work(1), work(2), work(3), work(4), work(5), overflow(210_000, 200_000), work(6), answer("Done.")];
    const session = await open({ main });
    const run = await session.run({ prompts: ["Paint it."] });
    expect(run.exitCode).toBe(0);
    expect(session.api.requests.some(({ lane }) => lane === "compaction")).toBe(false);
    expect(sent(session.api.requests.at(-1))).toContain("replaced by this record");
    expect(run.events.findLast(({ type }) => type === "result")).toMatchObject({ subtype: "success" });
    expectLawful(await session.audit({ mayRewind: false }));
  });
});

describe("a window that is small for what is read", () => {
  it("does not end the session: the end is folded where the client would give up", async () => {
    const lines = Array.from(
      { length: 900 },
      (_, line) => `const plank${line} = "measured and found to be tight, row ${line}";`,
    );
    const read = (at: number): Answer => answer(`Part ${at}.`, call("Read", { file_path: `part${at}.ts` }));
    const parts = Array.from({ length: 14 }, (_, at) => at);
    const session = await open({
      main: (_, step) => {
        const next = step < parts.length ? read(step) : answer("Read them all.");
        return {
          ...next,
          content: next.content.map((block) =>
            block.type === "tool_use"
              ? { ...block, input: { file_path: join(session.workspace.cwd, `part${step}.ts`) } }
              : block,
          ),
        };
      },
    });
    for (const at of parts) await session.workspace.writeFile(`part${at}.ts`, `// part ${at}\n${lines.join("\n")}\n`);
    const run = await session.run({ prompts: ["Read all parts."], env: SMALL_WINDOW, timeoutMs: 120_000 });
    expect(run.events.findLast(({ type }) => type === "result")).toMatchObject({ subtype: "success", is_error: false });
    expect(sent(session.api.requests.at(-1))).not.toContain("thrashing");
    expect(session.api.requests.length).toBeGreaterThanOrEqual(parts.length + 1);
    expectLawful(await session.audit({ mayRewind: false }));
  });
});

describe("where the project cannot be written", () => {
  const long = (): Reply[] => [...[1, 2, 3, 4].map(work), { ...work(5), usage: FULL }, work(6), answer("Done.")];

  it("originals are in the data folder, and come back from there", async () => {
    const session = await open({ main: long() });
    await writeFile(join(session.workspace.cwd, ".plimsoll"), "in the way");
    await session.run({ prompts: ["Paint it."], env: SMALL_WINDOW });
    const [compacted] = (await session.actions()).filter(({ kind }) => kind === "compacted");
    expect(compacted).toMatchObject({ by: "plimsoll" });
    const verdict = await session.audit({ mayRewind: false });
    expectLawful(verdict);
    expect(verdict.handlesFetched).toBeGreaterThan(0);
  });

  it("nor the data folder, nothing is brought about early, nothing throws, and the client goes on by itself", async () => {
    const steady = (step: number): Answer =>
      answer(`Row ${step}. ${"sound and dry. ".repeat(150)}`, call("Bash", { command: `echo ${step}; seq 1 800` }));
    const session = await open({ pace: BRISK, main: (_, step) => (step < 60 ? steady(step) : answer("Done.")) });
    await writeFile(join(session.workspace.cwd, ".plimsoll"), "in the way");
    await session.workspace.writeHome(".claude/data", "in the way, too");
    const run = await session.run({ prompts: ["Paint it."], timeoutMs: 150_000 });
    expect(run.events.findLast(({ type }) => type === "result")).toMatchObject({ subtype: "success" });
    expect(session.api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
    expect(session.api.requests.some((request) => sent(request).includes("replaced by this record"))).toBe(false);
    expectLawful(await session.audit({ mayRewind: false }));
  });
});
