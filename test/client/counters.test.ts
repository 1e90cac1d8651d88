/** If red: what the module has saved is counted wrongly. */

import { afterEach, expect, it } from "vitest";
import { answer } from "../api/replies.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { type Play, play } from "./play.ts";

let session: Play | undefined;
afterEach(() => session?.close());

it("[R128] [R154] counts what the module put in the place of the history, and the requests before which it did not", async () => {
  session = await play({ main: [answer("Planked. ".repeat(2000)), answer("Caulked."), answer("Tarred.")] });
  const { home, cwd } = session.workspace;
  await session.run({ prompts: ["Build the hull.", "And the seams?", "/compact", "Go on."] });
  const run = async (...words: readonly string[]) =>
    JSON.parse((await runPlimsoll([...words, "--json"], { environment: { HOME: home }, directory: cwd })).output);
  const [action] = (await session.actions()).filter(({ kind }) => kind === "compacted");
  expect(action).toMatchObject({ by: "plimsoll", recordTokens: expect.any(Number) });
  const { all, ours } = await run("stats", "summaries");
  expect(all.count).toBe(0);
  expect(ours).toMatchObject({ count: 1, p50: action?.recordTokens, p99: action?.recordTokens });
  expect((await run("inspect", "--requests")).totals).toMatchObject({ requests: 3, firstLayerRequests: 2 });
});
