/** If red: the load of a Codex session is read wrong, or reads as zero after a compaction. */
import { describe, expect, it } from "vitest";
import { counted, rollout, toLines } from "../../../../../test/support/host-lines.ts";
import { findLoad } from "./client.ts";

const used = (input: number, cached: number) =>
  rollout("token_usage_record", { usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: 5 } });

describe("the load at the end of a rollout", () => {
  it("is what the last request used, by its model, in its client", () => {
    const load = findLoad(
      toLines([
        rollout("session_meta", { cli_version: "0.166.0" }),
        rollout("turn_context", { model: "gpt-5.6" }),
        used(900, 0),
        used(2000, 1500),
        counted(1, { input: 2000, cached: 1500, output: 5 }),
      ]),
    );
    expect(load).toMatchObject({ model: "gpt-5.6", version: "0.166.0", compactions: [], hasNews: true });
    expect(load.usage).toMatchObject({ inputTokens: 500, cacheReadTokens: 1500 });
  });

  it("is not known between a compaction and the next request, though the client tells a use of nothing", () => {
    const load = findLoad(
      toLines([used(9000, 0), rollout("compacted", {}), counted(1, { input: 0, cached: 0, output: 0 })]),
    );
    expect(load).toMatchObject({ usage: undefined, compactions: [{ preTokens: 9000 }] });
    expect(findLoad(toLines([rollout("compacted", {}), used(100, 0)])).usage).toMatchObject({ inputTokens: 100 });
  });

  it("is no news in lines that say nothing of it, or are none", () => {
    expect(findLoad('{"half a line "type":"compacted"\n\n[1]\n')).toMatchObject({ usage: undefined, hasNews: false });
  });
});
