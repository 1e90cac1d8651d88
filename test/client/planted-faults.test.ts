import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isLawful, renderVerdict, type Verdict } from "../laws/verdict.ts";
import { canMount, fullDisk, readOnlyTranscripts } from "./hard-places.ts";
import { type LawScenario, MIXED, playScenario, STEERED } from "./law-scenarios.ts";
import { type Patch, PLANTED_FAULTS, type PlantedFault, THIN_SOON } from "./planted-faults.ts";
import { buildPlugin } from "./play.ts";
import { createWorkspace } from "./workspace.ts";

const NEED_MOUNTS: ReadonlySet<PlantedFault["scenario"]> = new Set([fullDisk, readOnlyTranscripts]);

type AtEnd = (clean: () => Promise<void>) => void;

/** The plugin built anew from the sources, with a fault in one line of them. */
async function buildFaulty(patches: readonly Patch[], atEnd: AtEnd): Promise<string> {
  const place = await createWorkspace();
  atEnd(() => place.remove());
  const plugin = join(place.root, "plugin");
  await buildPlugin(plugin, patches);
  return plugin;
}

/** What is wrong with a session of a plugin that has a fault, line by line. */
async function findWrong({ scenario, patch }: PlantedFault, atEnd: AtEnd): Promise<string> {
  if (typeof scenario !== "function") return renderVerdict(await audit(scenario, [patch], atEnd));
  return (await scenario([await buildFaulty([THIN_SOON, patch], atEnd)])).join("\n");
}

async function audit(scenario: LawScenario, patches: readonly Patch[], atEnd: AtEnd): Promise<Verdict> {
  const plugin = await buildFaulty([THIN_SOON, ...patches], atEnd);
  const session = await playScenario(scenario, { plugins: [plugin] });
  atEnd(() => session.close());
  return session.audit({ mayRewind: false });
}

/** A client mostly waits: two at a time take little longer than one. */
describe.concurrent("the auditor, without a fault and with one, in a session of the real client", () => {
  for (const scenario of [MIXED, STEERED])
    it("has nothing to say against a session without a fault", async ({ onTestFinished: atEnd }) => {
      const verdict = await audit(scenario, [], atEnd);
      expect(isLawful(verdict), renderVerdict(verdict)).toBe(true);
    });

  for (const fault of PLANTED_FAULTS)
    it(`finds it when ${fault.name}`, async ({ onTestFinished: atEnd, skip }) => {
      if (NEED_MOUNTS.has(fault.scenario) && !canMount()) skip("no mounts can be made here");
      expect(await findWrong(fault, atEnd)).toMatch(fault.finds);
    });

  it("plants no fault in vain: a line that is gone from the source fails the build", async () => {
    const [{ patch } = { patch: THIN_SOON }] = PLANTED_FAULTS;
    await expect(buildFaulty([{ ...patch, find: "no such line" }], onTestFinished)).rejects.toThrow(
      "does not hold exactly once",
    );
  });
});
