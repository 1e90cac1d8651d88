/** If red: an answer with unknown cache lives cannot be replayed. */
import { expect, it } from "vitest";
import { answerPolicy, answerReplay } from "../../test/support/replay-answer.ts";
import { parseAnswer } from "./parse-answer.ts";
import { SET_CACHE_LIVES } from "./policy-names.ts";

const ANSWER = answerReplay({
  policies: [
    answerPolicy({ name: "native", netUsd: 3, coldLost: 0.1 }),
    answerPolicy({ name: "plimsoll", netUsd: 2, relative: { netUsd: 0.6, netInterval: { low: 0.5, high: 0.7 } } }),
  ],
  sessions: [{ name: "a.jsonl", recordedUsd: 4, policies: [{ name: "native", netUsd: 3 }] }],
  cacheLives: {
    ...{ sessions: 4, pauses: 6, recordedUsd: 31, shortUsd: 3, clientUncachedTokens: 120, isSubscription: false },
    lives: [...SET_CACHE_LIVES]
      .reverse()
      .map((life, index) => ({ life, usd: 25 + index, shortUsd: 3, uncachedTokens: 100 })),
  },
});

const CLIENT = { client: "", sessions: 1, recordedUsd: 4, simulatedUsd: 4, ownUsd: 3, savedUsd: 1 };

it("takes an answer as it is, cache lives or none", () => {
  expect(parseAnswer(JSON.stringify(ANSWER))).toEqual(ANSWER);
  const blank = { coldLost: null, coldRecoverable: null, relative: { netUsd: null, netInterval: null } };
  const clients = [{ ...CLIENT, billedUsd: null }];
  const unknown = { ...ANSWER, clients, policies: [{ ...ANSWER.policies[0], ...blank }], cacheLives: null };
  expect(parseAnswer(JSON.stringify(unknown))).toEqual(unknown);
});

it.each([
  null,
  7,
  [],
  {},
  { ...ANSWER, policies: null },
  { ...ANSWER, policies: [1] },
  { ...ANSWER, policies: [{ ...ANSWER.policies[0], netUsd: "3" }] },
  { ...ANSWER, policies: [{ ...ANSWER.policies[0], relative: undefined }] },
  ...[{ coldLost: "0.1" }, { coldRecoverable: {} }, { relative: { netUsd: "1" } }].map((wrong) => ({
    ...ANSWER,
    policies: [{ ...ANSWER.policies[0], ...wrong }],
  })),
  ...[7, {}, { low: 0.5 }, { low: null, high: 0.7 }].map((netInterval) => ({
    ...ANSWER,
    policies: [{ ...ANSWER.policies[0], relative: { netInterval } }],
  })),
  { ...ANSWER, clients: [{ ...CLIENT, billedUsd: "12.5" }] },
  { ...ANSWER, shortSessions: [{ name: "b.jsonl", recordedUsd: 4 }] },
  { ...ANSWER, leftOut: [{ name: "b.jsonl" }] },
  { ...ANSWER, cacheLives: { lives: [] } },
  { ...ANSWER, asked: undefined },
  { ...ANSWER, installed: null },
  { ...ANSWER, loss: { summaries: 1 } },
  {
    ...ANSWER,
    cacheLives: {
      ...ANSWER.cacheLives,
      lives: ANSWER.cacheLives?.lives.map((one) => ({ ...one, life: "constructor" })),
    },
  },
])("takes nothing of %j", (answer) => {
  expect(parseAnswer(JSON.stringify(answer))).toBeUndefined();
});
