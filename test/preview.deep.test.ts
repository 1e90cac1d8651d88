/** If red: a preview of a real session differs from what the engine would send. */
import { expect, it } from "vitest";
import { listCorpus } from "../lab/bench/corpus.ts";
import { readSession } from "../src/hosts/catalogue.ts";
import { followTranscript } from "./support/answer-recorded.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { withCorpus } from "./support/needs.ts";

const SESSIONS = 20;

/**
 * Main sessions in which something can leave the window, spread over the repositories. Left out are those whose last compaction kept rows,
 * and those of clients so old that they wrote a summary without a boundary: the module does not run in these.
 */
function chooseSessions(): readonly string[] {
  const files = listCorpus().filter((file) => !file.includes(".agent-"));
  const each = Math.floor(files.length / SESSIONS);
  const order = files.map((_, at) => files[((at % SESSIONS) * each + Math.floor(at / SESSIONS)) % files.length] ?? "");
  const fit = new Set<string>();
  for (const file of order) if (fit.size < SESSIONS && !fit.has(file) && isFit(file)) fit.add(file);
  return [...fit];
}

function isFit(file: string): boolean {
  const { events, recording, entries } = readSession(file);
  const boundaries = events.filter(({ kind }) => kind === "compaction").length;
  const last = recording.windows.at(-1);
  return (
    recording.steps.length - (last?.firstStep ?? 0) >= 12 &&
    last?.kept.length === 0 &&
    boundaries === recording.windows.length - 1 &&
    entries.some(({ cwd }) => cwd !== "")
  );
}

withCorpus.describe("a preview of a recorded session", () => {
  const files = chooseSessions();

  it(`is taken of ${SESSIONS} sessions`, () => {
    expect(files).toHaveLength(SESSIONS);
  });

  it.each(files)("is byte for byte what an engine that has followed %s answers to /compact", async (file) => {
    const session = await followTranscript(file);
    const words = ["summary", "--transcript", session.transcript, "--full", "--json"];
    const { output } = await runPlimsoll(words, { environment: { HOME: session.home }, nowMs: Date.now });
    expect(JSON.parse(output).record.messages).toEqual(await session.compact());
  });
});
