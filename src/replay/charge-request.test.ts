/** If red: replay charges too little for what has to be fetched back. */
import { describe, expect, it } from "vitest";
import { assistant, call, results, user } from "../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import { createCollapseExchanges } from "../layers/collapse-exchanges.ts";
import { RECOVERY_PAGE_TOKENS } from "../models/economics/recovery.ts";
import type { WalkedRequest } from "./charge-request.ts";
import { findNeeds } from "./needs.ts";
import type { Policy } from "./policy.ts";
import { walkSession } from "./walk-session.ts";

/** Collapses once, before its fourth request, all but the last exchange. */
const once: Policy = {
  name: "once",
  about: "",
  create: ({ session }) => {
    const layer = createCollapseExchanges({ now: true, keepExchanges: 1, vocabulary: session.vocabulary });
    return {
      plan({ step, messages, tokens, countTokens }) {
        if (step !== 3) return { edits: [] };
        const edits = layer.plan({ messages, tokens, countTokens, targetTokens: 0 });
        return { edits, originals: layer.originals(edits, messages) };
      },
    };
  },
};

const page = (name: string): string => `${`The ${name} stands at frame ${name}_plank_${name}.\n`.repeat(60)}`;
const session = recordReplaySession([
  exchange([user("go")], assistant(call("Read", { path: "/ship/keel.md" }))),
  exchange([results(page("keelson"))], assistant(call("Read", { path: "/ship/deck.md" }))),
  exchange([results(page("carling"))], assistant(call("Bash", { command: "ls" }))),
  exchange([results("done")], assistant("keelson_plank_keelson carries carling_plank_carling, as asked")),
]);

function listFetches(walked = session): readonly WalkedRequest[] {
  const requests: WalkedRequest[] = [];
  walkSession({ session: walked, needs: findNeeds(walked) }, once, { onRequest: (request) => requests.push(request) });
  return requests.filter(({ kind }) => kind !== "send");
}

describe("what an answer needs and does not see", () => {
  it("is fetched in one request: two calls and two pages, and the view read once more", () => {
    const [fetch, ...more] = listFetches();
    expect(more).toEqual([]);
    expect(fetch).toMatchObject({ kind: "recovery", usage: { outputTokens: 300 } });
    // Every recorded block weighs 100 tokens.
    expect(fetch?.usage.cacheWrite5mTokens).toBe(200);
    expect(fetch?.usage.cacheReadTokens).toBeGreaterThan(session.baseTokens);
  });

  it("costs a page of each result and not all of it, because a recall gives a page", () => {
    const weights = new Map([...session.weights.keys()].map((block) => [block, 3 * RECOVERY_PAGE_TOKENS]));
    expect(listFetches({ ...session, weights })[0]?.usage.cacheWrite5mTokens).toBe(2 * RECOVERY_PAGE_TOKENS);
  });
});
