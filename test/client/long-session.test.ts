/** If red: a session of hundreds of steps loses something, says what is not true, or drags a ledger that grows. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEDGER_OPENING } from "../../src/layers/ledger/ledger-text.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, breakStream, call, overloaded, think } from "../api/replies.ts";
import type { Answer, Reply } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { expectLawful } from "../laws/verdict.ts";
import { renderFlagPng } from "../record/render-png.ts";
import { tries } from "../support/depth.ts";
import { type Play, play, sent } from "./play.ts";
import type { ClientResult } from "./run-client.ts";

const STEPS_PER_TURN = 30;
const TURNS = tries(5, 10);
const STEPS = TURNS * STEPS_PER_TURN;
/** Before it the person compacts. */
const COMPACTED_TURN = 3;
const PICTURES = 4;
const DEMANDS = Array.from({ length: TURNS }, (_, turn) => `Do part ${turn} of the hull. Never touch chain ${turn}.`);
const bash = (command: string): Answer["content"][number] => call("Bash", { command });

/** What the model does at a step: of everything that a long piece of work has in it, one after the other. */
const KINDS: readonly ((step: number, folder: string, request: ApiRequest) => Answer)[] = [
  (step) =>
    answer(`Row ${step}.`, bash(`seq ${step} ${step + 80}`), bash(`echo seam ${step}`), bash(`echo knot ${step}`)),
  (step) =>
    answer(bash(`sleep 0.3; echo searched ${step}`), "Meanwhile the log.", bash(`echo first ${step}`), bash("pwd")),
  (step) => answer("I try the old brush.", bash(`echo "no rope ${step}" >&2; exit 3`)),
  (step) => answer(bash(`seq ${step} ${step + 5_000}`)),
  (step, folder) => answer(call("Read", { file_path: `${folder}/${step % PICTURES}.png` })),
  (step, folder) =>
    answer(call("Write", { file_path: `${folder}/row-${step}.ts`, content: `export const row = ${step};\n` })),
  (step) => answer(call("TaskCreate", { subject: `Plank row ${step}`, description: "All.", activeForm: "Planking" })),
  (step) => answer(think(`Row ${step} is dry.`), `I decided to tar row ${step} because oil is thin.`, bash("true")),
  (step) =>
    step % 40 < 12
      ? answer(call("Agent", { description: "Look", prompt: `Look at row ${step}.`, subagent_type: "Explore" }))
      : answer(bash(`for i in $(seq 60); do echo "row ${step} plank $i measured 12.$i mm"; done`)),
  (step, _, request) => answer(recallOf(request) ?? bash(`echo nothing to recall at ${step}`)),
  (step) => answer(call("Bash", { command: `echo pumped ${step}`, run_in_background: true })),
];

/** Fetches what the newest handle in view stands for. */
function recallOf(request: ApiRequest): Answer["content"][number] | undefined {
  const handle = sent(request)
    .match(/plimsoll:[0-9a-f]{8,}(?:#\d+)?/g)
    ?.at(-1);
  const tool = request.body.tools?.find(({ name }) => /plimsoll.*recall/.test(String(name)))?.name;
  return handle === undefined || tool === undefined ? undefined : call(String(tool), { handle });
}

/** Characters of the ledger that a request carries. */
function measureLedger(request: ApiRequest): number {
  const segments = sent(request).split(`\n${LEDGER_OPENING}`).slice(1);
  return segments.reduce((total, segment) => total + (segment.split("\n\n")[0]?.length ?? 0), 0);
}

describe("a long session with everything at once", () => {
  let session: Play;
  let run: ClientResult;
  beforeAll(async () => {
    let step = 0;
    let isTorn = false;
    const main = (request: ApiRequest): Reply => {
      const turnEnds = step % STEPS_PER_TURN === STEPS_PER_TURN - 1;
      const reply = turnEnds
        ? answer(`Turn ${Math.ceil(step / STEPS_PER_TURN)} is done.`)
        : (KINDS[step % KINDS.length]?.(step, session.workspace.cwd, request) ?? answer("Done."));
      // Every fiftieth answer breaks off, or is refused, before it comes whole.
      isTorn = step % 50 === 20 && !isTorn;
      if (isTorn) return step % 100 === 20 ? breakStream("error_event", reply, 6) : overloaded();
      step++;
      return reply;
    };
    const subagents = [() => answer("The row is dry, but frame 12 leaks at the third rivet.")];
    session = await play({ main, subagents, pace: BRISK, scale: 4 });
    for (let index = 0; index < PICTURES; index++)
      await session.workspace.writeFile(`${index}.png`, renderFlagPng(32 + index));
    const prompts = DEMANDS.flatMap((demand, turn) => (turn === COMPACTED_TURN ? ["/compact", demand] : [demand]));
    run = await session.run({ prompts, timeoutMs: 900_000 });
  }, 1_000_000);
  afterAll(() => session.close());

  it("is played to its end, through several compactions", async () => {
    expect(run.exitCode).toBe(0);
    expect(session.api.requests.filter(({ lane }) => lane === "main").length).toBeGreaterThan(STEPS);
    expect((await session.actions()).filter(({ kind }) => kind === "compacted").length).toBeGreaterThan(3);
    expect((await session.actions()).filter(({ kind }) => kind === "failed")).toEqual([]);
    expect(session.api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
  });

  it("loses and changes nothing, and says nothing untrue", async () => {
    const verdict = await session.audit({ mayRewind: false, given: DEMANDS });
    expectLawful(verdict);
    expect(verdict.handlesFetched).toBeGreaterThan(20);
  });

  it("carries a ledger of at most 6 % of all that is sent", () => {
    const requests = session.api.requests.filter(({ lane }) => lane === "main");
    const ledgers = requests.map(measureLedger);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    const share = sum(ledgers) / sum(requests.map(({ body }) => JSON.stringify(body).length));
    console.info(
      `ledger: ${(share * 100).toFixed(1)} % of ${requests.length} requests, at most ${Math.max(...ledgers)} characters`,
    );
    expect(share).toBeLessThan(0.06);
  });

  it("announces each compaction with the size that was then sent", async () => {
    // The person's own `/compact` may come right after one of ours, when nothing is left to take out.
    for (const action of await session.actions())
      if (action.kind === "compacted" && action.trigger === "auto")
        expect(Number(action.tokensAfter), JSON.stringify(action)).toBeLessThan(Number(action.tokensBefore));
  });
});
