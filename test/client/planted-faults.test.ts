import { execFileSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { renderVerdict, type Verdict } from "../laws/verdict.ts";
import { type LawScenario, PLAIN, playScenario } from "./law-scenarios.ts";
import { PLANTED_FAULTS, type PlantedFault } from "./planted-faults.ts";
import { PLUGIN, type Play } from "./play.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

const ROOT = join(import.meta.dirname, "../..");
const opened: (Play | Workspace)[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await ("close" in each ? each.close() : each.remove());
});

/** The plugin built anew from the sources, with a fault in one line of them. */
async function buildFaulty(patches: readonly Pick<PlantedFault, "file" | "find" | "replace">[]): Promise<string> {
  const place = await createWorkspace();
  opened.push(place);
  const plugin = join(place.root, "plugin");
  await cp(PLUGIN, plugin, { recursive: true });
  const words = ["scripts/build-plugins.mjs", "--module", plugin, JSON.stringify(patches)];
  execFileSync(process.execPath, words, { cwd: ROOT, stdio: "pipe" });
  return plugin;
}

async function audit(scenario: LawScenario, plugin: string): Promise<Verdict> {
  const session = await playScenario(scenario, { plugins: [plugin] });
  opened.push(session);
  return session.audit({ mayRewind: false });
}

describe("the auditor, in a session of the real client", () => {
  it("has nothing to say against a session without a fault", async () => {
    expect(renderVerdict(await audit(PLAIN, await buildFaulty([])))).toMatch(
      / 0 missing; 0 untrue, 0 requests invalid/,
    );
  });

  for (const { name, scenario, finds, ...patch } of PLANTED_FAULTS)
    it(`finds it when ${name}`, async () => {
      expect(renderVerdict(await audit(scenario, await buildFaulty([patch])))).toMatch(finds);
    });

  it("plants no fault in vain: a line that is gone from the source fails the build", async () => {
    const [first] = PLANTED_FAULTS;
    await expect(buildFaulty([{ file: first?.file ?? "", find: "no such line", replace: "" }])).rejects.toThrow(
      "does not hold exactly once",
    );
  });
});
