import { afterEach, expect, it } from "vitest";
import { createPromptCache } from "../api/prompt-cache.ts";
import { answer, call } from "../api/replies.ts";
import { expectLawful } from "../laws/verdict.ts";
import { type Play, play } from "./play.ts";

const opened: Play[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const WORDS = "the hull is sound, the planks are dry and the mast is up. ";
const work = (step: number) =>
  answer(
    `Row ${step}. ${WORDS.repeat(12)}`,
    call("Bash", {
      command: `for i in $(seq 1 240); do echo "row ${step} plank $i measured 12.$i mm, no leak found"; done`,
    }),
  );
const turn = (from: number, steps: number, words: string) => [
  ...Array.from({ length: steps }, (_, at) => work(from + at)),
  answer(words),
];

it("says true sizes of a session that was begun without Plimsoll: on the screen and in the journal, four times", async () => {
  const counted: number[] = [];
  const cache = createPromptCache({ scale: 1 });
  const session = await play(
    {
      main: [0, 1, 2, 3, 4]
        .flatMap((part) => turn(part * 10, part === 0 ? 9 : 3, `Part ${part} is done.`))
        .concat(answer("Done.")),
      cache: {
        count(body) {
          const usage = cache.count(body);
          counted.push(usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens);
          return usage;
        },
      },
    },
    { early: "off" },
  );
  opened.push(session);
  await session.run({ prompts: ["Begin."], plugins: [], timeoutMs: 120_000 });
  const before = counted.length;
  const prompts = [1, 2, 3, 4].flatMap((part) => ["/compact", `Go on with part ${part}.`]);
  const run = await session.run({ prompts, args: ["--continue"], timeoutMs: 150_000 });
  expect(run.exitCode, run.stderr).toBe(0);

  const deeds = (await session.deeds()).filter(({ kind }) => kind === "compacted");
  expect(deeds).toHaveLength(4);
  // Each compaction stands between two requests whose sizes the API has counted.
  const firsts = [0, 1, 2, 3].map((part) => before + part * 4);
  for (const [at, deed] of deeds.entries()) {
    expect(deed).not.toHaveProperty("isEstimated");
    const [sentBefore = 0, sentAfter = 0] = [counted[(firsts[at] ?? 0) - 1], counted[firsts[at] ?? 0]];
    expect(
      Math.abs(Number(deed.tokensBefore) / sentBefore - 1),
      `before: ${deed.tokensBefore}, sent ${sentBefore}`,
    ).toBeLessThan(0.05);
    expect(
      Math.abs(Number(deed.tokensAfter) / sentAfter - 1),
      `after: ${deed.tokensAfter}, sent ${sentAfter}`,
    ).toBeLessThan(0.05);
  }
  expectLawful(await session.audit({ mayRewind: false }));
  const shown = run.events.flatMap(({ subtype, text }) => (subtype === "ui_log" ? [String(text)] : []));
  const sizes = shown.map((line) => /^([\d.]+)k → ([\d.]+)k tokens: as you asked; saves about/.exec(line)?.slice(1));
  expect(sizes, shown.join("\n")).toEqual(
    deeds.map(({ tokensBefore, tokensAfter }) =>
      [tokensBefore, tokensAfter].map((tokens) => (Number(tokens) / 1000).toFixed(1)),
    ),
  );
});
