/** If red: savings per agent do not add up to what plimsoll stats bills. */
import { describe, expect, it } from "vitest";
import { keepLastReplay } from "../src/recorded/last-replay.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { HOME_WRITERS, writeHomes } from "./support/host-homes.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const { name } = createTemporaryFolder();

interface ClientRow {
  readonly client: string;
  readonly sessions: number;
  readonly billedUsd: number;
  readonly recordedUsd: number;
  readonly simulatedUsd: number;
  readonly ownUsd: number;
  readonly savedUsd: number;
}

/** A home in which several agents have worked. */
async function ask(words: readonly string[], home: string): Promise<string> {
  const { output, remarks, exitCode } = await runPlimsoll(words, { environment: { HOME: home } });
  expect({ exitCode, remarks }).toEqual({ exitCode: 0, remarks: "" });
  return output;
}

describe("a home with several agents", () => {
  it("has what was billed, what is simulated and Plimsoll side by side, and the bill of plimsoll stats", async () => {
    const home = name("");
    HOME_WRITERS["claude-code"](home);
    writeHomes(home);
    const words = ["replay", "--policies", "plimsoll", "--min-steps", "2", "--unchecked"];
    const { clients, sessions, leftOut } = JSON.parse(await ask([...words, "--json"], home));
    const rows: readonly ClientRow[] = clients;
    expect(rows.map(({ client }) => client)).toEqual(expect.arrayContaining(["Claude Code", "Codex", "pi"]));
    const stats = JSON.parse(await ask(["stats", "--json"], home));
    const sum = (pick: (row: ClientRow) => number): number => rows.reduce((total, row) => total + pick(row), 0);
    expect(sum(({ billedUsd }) => billedUsd)).toBeCloseTo(stats.totals.totalUsd, 9);
    for (const row of rows) {
      expect(row.recordedUsd).toBeLessThanOrEqual(row.billedUsd + 1e-9);
      expect(row.savedUsd).toBeLessThanOrEqual(row.recordedUsd + 1e-9);
    }
    expect(sum(({ sessions: count }) => count)).toBe(sessions.length);
    expect(sessions.length + leftOut.length).toBeGreaterThan(2);
    const text = await ask(words, home);
    expect(text).toMatch(/agent +sessions +billed +replayed +simulated +Plimsoll +saved/);
  });

  it("has the same columns on the first screen, over the bill of plimsoll stats", async () => {
    const home = name("");
    HOME_WRITERS["claude-code"](home);
    writeHomes(home);
    const answer = await ask(["replay", "--min-steps", "2", "--unchecked", "--json"], home);
    keepLastReplay({ HOME: home }, answer);
    const { look, savedByClient } = JSON.parse(await ask(["now", "--json"], home));
    const clients: readonly ClientRow[] = JSON.parse(answer).clients;
    expect(savedByClient.map(({ client }: ClientRow) => client)).toEqual(expect.arrayContaining(["Claude Code", "pi"]));
    for (const { client, saved } of savedByClient) {
      const { recordedUsd, simulatedUsd, ownUsd } = clients.find((row) => row.client === client) ?? {};
      expect(saved).toMatchObject({
        recordedUsd: expect.closeTo(recordedUsd ?? Number.NaN, 9),
        simulatedUsd: expect.closeTo(simulatedUsd ?? Number.NaN, 9),
        ownUsd: expect.closeTo(ownUsd ?? Number.NaN, 9),
      });
    }
    const stats = JSON.parse(await ask(["stats", "--json"], home));
    expect(look.totalUsd).toBeCloseTo(stats.totals.totalUsd, 9);
  });
});
