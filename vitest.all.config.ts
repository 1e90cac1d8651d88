import { defineConfig, type ViteUserConfig } from "vitest/config";
import unit, { SETTINGS } from "./vitest.config.ts";
import deep from "./vitest.deep.config.ts";

const deepFiles = deep.test?.include ?? [];
const elsewhere = unit.test?.exclude ?? [];

/** One in 10,000 that wavers keeps no change from landing: what is wrong is wrong twice, and the last lines name what wavered. */
const retry = 1;

/** What `.ci/run` runs: all of `npm test` and of `npm run test:deep`, each file once and as deep as it goes. Those that take long come first. */
const config: ViteUserConfig = defineConfig({
  test: {
    ...SETTINGS,
    // Many wait for a program, a database or a clock: on two cores a third worker saves a fifth.
    maxWorkers: 3,
    projects: [
      { test: { ...deep.test, retry, name: "deep", sequence: { groupOrder: 0 } } },
      {
        test: { ...unit.test, retry, name: "unit", exclude: [...elsewhere, ...deepFiles], sequence: { groupOrder: 1 } },
      },
    ],
  },
});

export default config;
