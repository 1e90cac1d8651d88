import type { Block } from "../../../src/core/message.ts";
import { mixWriteRate, rateModel } from "../../../src/models/economics/rates.ts";
import { countRecoveryUnits } from "../../../src/models/economics/recovery.ts";
import { createOracle, type LastUses, listUses } from "../../../src/replay/policies/clairvoyant.ts";
import type { Briefing, Policy } from "../../../src/replay/policy.ts";

export const clairvoyantRecover: Policy = {
  name: "clairvoyant+recover",
  about:
    "the same, and may hide what is needed later and fetch it back where that is cheaper than carrying it: the limit",
  create: (briefing) => createOracle(briefing, chooseLastUses),
};

const FETCHED_STEPS = 20;
/** A view of the limit is hardly more than its base. */
const HISTORY_TOKENS = 5_000;

/** For each block the use after which it is cheaper to fetch than to carry; before the first, it never enters. */
function chooseLastUses(briefing: Briefing): LastUses {
  const { session } = briefing;
  const chosen = new Map<Block, number>();
  const birth = new Map<Block, number>();
  for (const [step, { joined }] of session.steps.entries())
    for (const { blocks } of joined) for (const block of blocks) birth.set(block, step);
  for (const [block, uses] of listUses(briefing)) {
    const born = birth.get(block) ?? 0;
    const { model, share1h } = session.steps[born] ?? { model: "", share1h: 0 };
    const rates = rateModel(model);
    const write = mixWriteRate(rates, share1h);
    const tokens = session.weights.get(block) ?? 0;
    const fetch = countRecoveryUnits(session.baseTokens + HISTORY_TOKENS, tokens, { ...rates, write });
    let best = { units: countFetches(uses) * fetch, until: -1 };
    for (const [index, step] of uses.entries()) {
      const carrying = tokens * (write + rates.read * (step - born));
      const units = carrying + countFetches(uses.slice(index + 1)) * fetch;
      if (units < best.units) best = { units, until: step };
    }
    if (best.until >= 0) chosen.set(block, best.until);
  }
  return chosen;
}

function countFetches(uses: readonly number[]): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const step of uses) {
    if (step - last < FETCHED_STEPS) continue;
    count++;
    last = step;
  }
  return count;
}
