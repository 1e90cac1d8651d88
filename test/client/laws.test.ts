/** If red: a compaction loses or changes what was said, called, shown or typed. */

import { afterEach, describe, it } from "vitest";
import { IN_ONE_PIECE } from "../api/stream-events.ts";
import { expectLawful } from "../laws/verdict.ts";
import { some } from "../support/depth.ts";
import {
  INTERLEAVED,
  type LawScenario,
  listGiven,
  PARALLEL,
  PICTURED,
  playScenario,
  STEERED,
  TEMPLATED,
  TWICE,
} from "./law-scenarios.ts";
import type { Play } from "./play.ts";

const opened: Play[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const SCENARIOS: readonly { readonly name: string; readonly scenario: LawScenario }[] = [
  { name: "the results of calls that were made at once", scenario: PARALLEL },
  { name: "results that come in while the answer still streams", scenario: INTERLEAVED },
  {
    name: "the results of calls that were made at once, in an answer that comes in one piece",
    scenario: { ...PARALLEL, pace: IN_ONE_PIECE },
  },
  { name: "what a person types while the model works", scenario: STEERED },
  { name: "pictures, given and read", scenario: PICTURED },
  { name: "the template of a command before the first answer", scenario: TEMPLATED },
  { name: "what an earlier compaction kept", scenario: TWICE },
];

/** Older models get reminders within results, newer ones messages of role system. */
const MODELS = ["claude-sonnet-4-6", "claude-opus-5-5"] as const;

describe("nothing is lost or changed by a compaction", () => {
  // Each with one of them every time, and with both in the deep run.
  for (const [at, { name, scenario }] of SCENARIOS.entries())
    for (const model of some(1, at % 2 === 0 ? MODELS : MODELS.toReversed()))
      it(`${name}, on ${model}`, async () => {
        const session = await playScenario(scenario, { model });
        opened.push(session);
        expectLawful(await session.audit({ mayRewind: false, given: listGiven(scenario) }));
      });
});
