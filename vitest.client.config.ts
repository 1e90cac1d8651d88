import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Runs of the real client: minutes, not milliseconds. Three at a time: since a start costs less processor time than waiting, that takes 7.6 minutes on two cores instead of 9.7. */
const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ["default", "./test/reporter.ts"],
    include: ["test/client/**/*.test.ts", "test/**/*.client.test.ts"],
    exclude: process.env.PLIMSOLL_DEPTH === "deep" ? [] : ["test/client/**/*.deep.test.ts"],
    maxWorkers: 3,
    // What many files import is read once by each of them.
    isolate: false,
    pool: "forks",
    maxConcurrency: 3,
    // The first run downloads two clients of about 100 MB.
    hookTimeout: 15 * 60_000,
    testTimeout: 3 * 60_000,
    // Without it a client has one second to show something.
    expect: { poll: { timeout: 60_000 } },
    // What a screen shows in time depends on what else the machine does; what is wrong is wrong twice.
    retry: 1,
  },
});

export default config;
