/** If red: rules, modes and what is known are lost, said twice or mixed up through resumes, forks and /clear. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { type Play, play, sent } from "./play.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const opening = await play(...given);
  opened.push(opening);
  return opening;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

/** The state that the module keeps of a session. */
async function readState(session: Play, sessionId: string): Promise<string> {
  return readFile(
    join(session.workspace.home, ".claude/data/plimsoll/sessions", sessionId, "module-state.json"),
    "utf8",
  );
}

describe("what the module told before the first answer", () => {
  it("stands in every later request once, through compactions and a resume", async () => {
    const work = (step: number) =>
      answer(`Row ${step}. ${"sound and dry. ".repeat(60)}`, call("Bash", { command: `seq ${step} 200` }));
    const session = await open({
      main: [answer("Begun."), ...[1, 2, 3, 4, 5].map(work), ...["a", "b", "c", "d", "e"].map((word) => answer(word))],
    });
    await session.workspace.writeFile(".plimsoll/rules/tar.md", "Tar every seam twice.");
    const run = await session.run({ prompts: ["Begin.", "Work.", "/compact", "Go on.", "/compact", "And on."] });
    await session.run({ prompts: ["Resumed.", "/compact", "Still on."], resume: run.sessionId });

    const said = session.api.requests.map((request) => sent(request).split("Tar every seam twice.").length - 1);
    expect(said.length).toBeGreaterThanOrEqual(10);
    expect(new Set(said)).toEqual(new Set([1]));
    expect((await session.actions()).filter(({ kind }) => kind === "compacted")).toHaveLength(3);
  });
});

describe("the module through a session's life", () => {
  it("goes on from what it knew when a session is resumed", async () => {
    const session = await open({
      main: [
        answer("I decided to use tar because oil is thin.", call("Bash", { command: "echo a" })),
        answer("Done."),
        answer("Yes."),
      ],
    });
    const run = await session.run({ prompts: ["Seal it. Never use nails."] });
    await session.run({ prompts: ["Is it sealed?"], resume: run.sessionId });
    const state = await readState(session, run.sessionId);

    for (const word of ["Never use nails.", "tar because oil is thin", "Is it sealed?"]) expect(state).toContain(word);
    expect(state.split('"text":"Seal it. Never use nails."')).toHaveLength(2);
  });

  it("knows a session whose beginning it has not seen, as far as the conversation tells", async () => {
    const session = await open({ main: [answer("Sealed."), answer("Yes.")] });
    const run = await session.run({ prompts: ["Seal it. Never use nails."], plugins: [] });
    await session.run({ prompts: ["Is it sealed?"], resume: run.sessionId });

    expect(await readState(session, run.sessionId)).toContain("Never use nails.");
  });

  it("begins anew after /clear", async () => {
    const session = await open({ main: [answer("Sealed."), answer("Yes.")] });
    const run = await session.run({ prompts: ["Seal it. Never use nails.", "/clear", "Paint it."] });
    const ids = run.sessions.map(({ sessionId }) => sessionId);
    const states = await Promise.all(ids.map((id) => readState(session, id).catch(() => "")));
    const painted = states.find((state) => state.includes("Paint it."));

    expect(painted).toBeDefined();
    expect(painted).not.toContain("Never use nails.");
  });

  it("folds what a subagent reads, and keeps its words out of the session's own state", async () => {
    const session = await open({
      main: [
        answer(
          call("Agent", {
            description: "Count",
            prompt: "Never count twice.",
            subagent_type: "general-purpose",
            run_in_background: false,
          }),
        ),
        answer("Counted."),
      ],
      subagents: [[answer(call("Bash", { command: "seq 1 4000" })), answer("Four thousand.")]],
    });
    const run = await session.run({ prompts: ["Count the planks."] });
    const inside = session.api.requests.filter(({ lane }) => lane === "subagent");

    expect(sent(inside[1])).toContain("[FOLDED: Bash output");
    expect(await readState(session, run.sessionId)).not.toContain('"text":"Never count twice."');
  });

  it("a fork of a session takes its own way", async () => {
    const session = await open({ main: [answer("Sealed."), answer("Forked.")] });
    const run = await session.run({ prompts: ["Seal it. Never use nails."] });
    const fork = await session.run({ prompts: ["And now?"], resume: run.sessionId, args: ["--fork-session"] });

    expect(fork.sessionId).not.toBe(run.sessionId);
    expect(await readState(session, fork.sessionId)).toContain("Never use nails.");
    expect(await readState(session, run.sessionId)).not.toContain("And now?");
  });
});
