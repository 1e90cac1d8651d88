/** If red: a request that was too long fails for good although it could be shortened, or is tried for ever. */
import { describe, expect, test } from "vitest";
import { assistant, call, conversation, failed, results, user } from "../../test/support/build.ts";
import { createView } from "../../test/support/layer-contract.ts";
import { renderShape } from "../../test/support/shape.ts";
import { applyEdits } from "../core/apply-edits.ts";
import { sha256 } from "../core/sha256.ts";
import { createLayers } from "./catalogue.ts";
import { countCollapsed } from "./ledger/thin-segment.ts";

const OVERFLOW = {
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 208310 tokens > 200000 maximum" },
};
const long = "word ".repeat(2000);
const session = conversation(
  user("fix it"),
  assistant(call("Bash", { command: "a" })),
  results(long),
  assistant(call("Bash", { command: "b" }), call("Bash", { command: "c" })),
  results(failed("no such file"), long),
);
const view = createView(session);

describe("[R141] reacting to an overflow", () => {
  test("compacts as hard as it goes: everything but the last exchange collapsed, its outputs folded", () => {
    const { reactToOverflow } = createLayers();
    const reaction = reactToOverflow.react(400, OVERFLOW, view);
    expect(reaction).toMatchObject({ kind: "retry", overflow: { usedTokens: 208_310, maxTokens: 200_000 } });
    if (reaction.kind !== "retry") return;
    const { messages, refused } = applyEdits(session, reaction.edits);
    expect(refused).toEqual([]);
    const [ledger, ...tail] = messages;
    expect(ledger && countCollapsed(ledger)).toBe(2);
    expect(renderShape(tail, { quotesResults: true })).toMatchInlineSnapshot(`
      "assistant call Bash#1 {"command":"b"}
      assistant + call Bash#2 {"command":"c"}
      user result Bash#1 failed "no such file"
      user + result Bash#2 "[FOLDED: Bash output — 1 lines, 10000 chars]\\nPreview (plain)"... 260 chars"
    `);
  });

  test("hashes what goes by the entry point's own hash, which takes a fifth of the time", () => {
    const asked: string[] = [];
    const own = (text: string): string => {
      asked.push(text);
      return sha256(text);
    };
    const other = conversation(
      user("fix it"),
      ...[1, 2].flatMap((at) => [assistant(call("Bash")), results(`${at} ${long}`)]),
    );
    expect(createLayers({ sha256: own }).reactToOverflow.react(400, OVERFLOW, createView(other)).kind).toBe("retry");
    expect(asked).toContain(`2 ${long}`);
    expect(asked.filter((text) => text.includes(`1 ${long}`))).not.toEqual([]);
  });

  test("[R129] the failed request is tried once: the second refusal is passed on, a new request has a new try", () => {
    const { reactToOverflow } = createLayers();
    expect(reactToOverflow.state().hasAttemptedReactiveCompact).toBe(false);
    expect(reactToOverflow.react(400, OVERFLOW, view).kind).toBe("retry");
    expect(reactToOverflow.state().hasAttemptedReactiveCompact).toBe(true);
    expect(reactToOverflow.react(400, OVERFLOW, view)).toMatchObject({ kind: "giveUp", reason: /once/ });
    reactToOverflow.begin();
    expect(reactToOverflow.react(400, OVERFLOW, view).kind).toBe("retry");
  });

  test("[R129] the attempt is remembered across processes", () => {
    const { reactToOverflow } = createLayers();
    reactToOverflow.react(400, OVERFLOW, view);
    const saved = { reactToOverflow: JSON.parse(JSON.stringify(reactToOverflow.state())) };
    expect(createLayers({ saved }).reactToOverflow.react(400, OVERFLOW, view).kind).toBe("giveUp");
  });

  test("a request of which nothing can go is not sent again", () => {
    const bare = createView(conversation(user("hello ".repeat(9000))));
    expect(createLayers().reactToOverflow.react(413, "", bare)).toMatchObject({
      kind: "giveUp",
      reason: /nothing left/,
    });
  });

  test("other errors go their way, and in a row of layers it stays silent", () => {
    const { reactToOverflow } = createLayers();
    expect(reactToOverflow.react(429, OVERFLOW, view)).toEqual({ kind: "notOverflow" });
    expect(reactToOverflow.plan(view)).toEqual([]);
    reactToOverflow.react(400, OVERFLOW, view);
    expect(reactToOverflow.plan(view).length).toBeGreaterThan(0);
  });
});
