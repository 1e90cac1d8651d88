import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { SETTINGS } from "./vitest.config.ts";

const asksHowDeep = (file: string): boolean => readFileSync(file, "utf8").includes("support/depth.ts");

/** What takes too long for every time: the files named `*.deep.test.ts`, and those that ask `test/support/depth.ts` how much to do. */
const deepFiles = ["src", "test", "lab"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  )
  .filter((file) => file.endsWith(".deep.test.ts") || (file.endsWith(".test.ts") && asksHowDeep(file)));

/** The planted faults go one after the other for minutes: begun last, they would leave a core idle. */
class PlantedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isPlanted = ({ moduleId }: TestSpecification): boolean => moduleId.includes("planted-faults");
    const sorted = await super.sort(files);
    return [...sorted.filter(isPlanted), ...sorted.filter((file) => !isPlanted(file))];
  }
}

const config: ViteUserConfig = defineConfig({
  test: {
    ...SETTINGS,
    include: deepFiles,
    env: { PLIMSOLL_DEPTH: "deep" },
    sequence: { sequencer: PlantedFirst },
  },
});

export default config;
