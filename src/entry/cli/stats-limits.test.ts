/** If red: a person is shown a limit of their account as known while there is too little evidence. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, toFile, transcript } from "../../../test/support/transcript-lines.ts";
import { parseWeights } from "../../policy/objective.ts";

const temporary = createTemporaryFolder();
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

/** A home with a session of so many requests, one a minute, and a reading of the limit after each; it counts 0.2, 4 and 20 percent a million. */
function createHome(requests: number): { readonly home: string; readonly project: string } {
  const home = temporary.name("-home");
  const config = path.join(home, ".claude");
  const [project, folder] = [path.join(config, "projects/-hull"), path.join(config, "data/plimsoll/sessions/s-1")];
  mkdirSync(project, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const readings: string[] = [];
  let used = 0;
  const answers = Array.from({ length: requests }, (_, index) => {
    const read = 50_000 + ((index * 7_919) % 13) * 9_000;
    const written = 1_000 + ((index * 104_729) % 17) * 900;
    const output = 100 + ((index * 1_299_709) % 11) * 300;
    used += (read * 0.2 + written * 4 + output * 20) / 1e6;
    const five_hour = { used_percentage: used, resets_at: 9 };
    readings.push(JSON.stringify({ atMs: START + index * MINUTE + 1, rate_limits: { five_hour } }));
    const usage = { input_tokens: 0, cache_read_input_tokens: read, cache_creation_input_tokens: written };
    return {
      ...answer(`m${index}`, ["Done."], { ...usage, output_tokens: output }),
      timestamp: new Date(START + index * MINUTE).toISOString(),
    };
  });
  writeFileSync(path.join(project, "s-1.jsonl"), toFile(transcript(...answers)));
  writeFileSync(path.join(folder, "limits.jsonl"), `${readings.join("\n")}\n{"torn`);
  return { home, project };
}

const run = (home: string, ...words: readonly string[]) =>
  runPlimsoll(["stats", "--limits", ...words], { environment: { HOME: home } });

describe("plimsoll stats --limits", () => {
  it("says what the limit counts and how sure that is, and leaves it where the policy finds it", async () => {
    const { home } = createHome(60);
    const { output, exitCode } = await run(home);
    expect(exitCode).toBe(0);
    expect(output).toContain("Weights learned from 59 changes of the five-hour limit, from 60 readings, all with ");
    expect(output).toMatch(/read from the cache {2}0\.05 ± 0\.0\d/);
    expect(output).toMatch(/output {15}5\.00 ± 0\.\d\d/);
    expect(output).toContain("These weights are certain enough");
    const kept = readFileSync(path.join(home, ".claude/data/plimsoll/weights.json"), "utf8");
    expect(parseWeights(kept)?.read).toBeCloseTo(0.05, 3);
  });

  it("says that it is too early, or that nothing is known", async () => {
    expect((await run(createHome(12).home)).output).toContain(
      "Too little is recorded to say how your subscription counts tokens: 11 changes",
    );
    const { home, project } = createHome(3);
    const elsewhere = temporary.name("-elsewhere");
    const { output } = await runPlimsoll(["stats", "--limits", project], { environment: { HOME: elsewhere } });
    expect(output).toContain("Your limits are unknown");
    expect(JSON.parse((await run(home, "--json")).output)).toMatchObject({ readings: 3 });
  });
});
