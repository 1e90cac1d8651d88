// Runs test files of the folder it is started in, as often as a message asks for it, with one Vitest that keeps what it has
// compiled: a second run takes a fifth of the time of a new process. The answer is whether all of them pass.
import path from "node:path";
import { createVitest } from "vitest/node";

const vitest = await createVitest("test", {
  watch: false,
  bail: 1,
  reporters: [{}],
  // What a fault keeps from happening is not waited for as long as on a busy machine.
  expect: { poll: { timeout: 15_000 } },
});
await vitest.standalone();
/** The file that had a fault in the last run: its own text is back, so it is compiled again, too. */
let repaired;
process.on("message", async ({ faulty, tests }) => {
  for (const file of [repaired, faulty]) if (file !== undefined) vitest.invalidateFile(path.resolve(file));
  repaired = faulty;
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    await vitest.globTestSpecifications(tests),
  );
  const run = testModules.filter(({ relativeModuleId }) => tests.includes(relativeModuleId));
  process.send?.(run.length === tests.length && unhandledErrors.length === 0 && run.every((module) => module.ok()));
});
process.on("disconnect", () => vitest.close());
