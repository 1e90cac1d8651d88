/** If red: a command that found nothing counts as an error, or a failure as a success. */
import { describe, expect, it } from "vitest";
import { asks, follow, runs } from "../../test/support/session-story.ts";

const ANSWERS: readonly (readonly [command: string, status: number, output: string])[] = [
  ["grep -rn oakum src", 1, ""],
  ["git status && rg oakum", 1, ""],
  ["pkill -f pump-server", 1, ""],
  ["gh pr checks 12", 8, "Unit Tests\tpass\nLint\tpending"],
  ["diff keel.ts hull.ts", 1, "1c1\n< a\n> b"],
  ["git diff --quiet", 1, ""],
  ["timeout 5 npm run dev", 124, "listening on 3000"],
  ["npm run dev", 143, "listening on 3000"],
  ["test -f hull.ts", 1, ""],
  ["curl -s http://localhost:3000/health", 7, ""],
];
const FAILURES: readonly (readonly [command: string, status: number, output: string])[] = [
  ["npm run check | grep error", 1, "hull.ts(1,1): error TS2304: no plank"],
  ["gh pr checks 12", 1, "Unit Tests\tfail"],
  ["gh pr create", 1, "error: no commits"],
  ["make hull", 2, "Error: no oak"],
  ["mkdir -p out; make hull", 1, "Error: no oak"],
];

describe("the status of a command", () => {
  it.each(ANSWERS)("[R197] is no failure where %s ends with %i", (command, exitCode, output) => {
    const { errors, commands } = follow(asks("Caulk the hull"), runs(command, output, { exitCode }));
    expect(errors).toEqual([]);
    expect(commands.map(({ isFailed }) => isFailed)).toEqual([false]);
  });

  it.each(FAILURES)("is a failure where %s ends with %i", (command, exitCode, output) => {
    const { errors } = follow(asks("Caulk the hull"), runs(command, output, { exitCode }));
    expect(errors).toHaveLength(1);
  });

  it("[R197] is that of the tool, not what the client says of its schema", () => {
    const hint = "This tool's schema was not sent to the API, so the parser rejects typed parameters.";
    const { errors } = follow(runs("remote list", `remote said: quota exceeded\n\n${hint}`, { exitCode: 3 }));
    expect(errors.map(({ line }) => line)).toEqual(["remote said: quota exceeded"]);
  });
});
