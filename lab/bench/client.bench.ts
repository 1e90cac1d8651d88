import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CHOICE_RULE, chooseSessions, type Playable } from "../../test/played/choose-sessions.ts";
import { type ArmFigures, measureArm } from "../../test/played/measure-arm.ts";
import { ARMS, type ArmName, hasModule } from "../../test/played/play-session.ts";
import { renderFigures } from "./client-table.ts";
import { hasCorpus } from "./corpus.ts";

/** The repositories to whose sessions `install` proposes its cache life: `node scripts/write-results.mjs propose`. */
const PROPOSED: readonly string[] = JSON.parse(readFileSync("docs/results.json", "utf8")).proposed.repositories;

/**
 * `npm run lab -- bench client [--session ID,ID] [--arm NAME] [--count N] [--fresh]`: recorded sessions played through the real
 * client. What was found is kept in the machine's temporary folder, one file a session and arm, as long as the module, the
 * recording and the harness are the same.
 */
export async function run(options: readonly string[] = []): Promise<void> {
  if (!hasCorpus) {
    console.log("skipped: no recorded sessions beside the project (../shared/transcripts)");
    return;
  }
  const optionOf = (name: string): string | undefined => options[options.indexOf(name) + 1 || options.length];
  const [arm, wanted] = [optionOf("--arm"), optionOf("--session")?.split(",")];
  const chosen = chooseSessions(Number(optionOf("--count") ?? 12)).filter(
    ({ id }) => wanted === undefined || wanted.some((opening) => id.startsWith(opening)),
  );
  const arms = ARMS.filter((name) => arm === undefined || name === arm);
  console.log(`Sessions: ${CHOICE_RULE}.\n`);
  const figures: ArmFigures[] = [];
  for (const playable of chosen)
    for (const name of arms) figures.push(await recall(playable, name, options.includes("--fresh")));
  console.log(renderFigures(figures));
}

async function recall(playable: Playable, arm: ArmName, isFresh: boolean): Promise<ArmFigures> {
  const folder = path.join(tmpdir(), "plimsoll-played");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${playable.id}-${arm}-${fingerprint(playable, arm)}.json`);
  if (!isFresh) {
    try {
      return JSON.parse(readFileSync(file, "utf8"));
    } catch {
      // Not played yet.
    }
  }
  const isLifeProposed = PROPOSED.includes(playable.repository);
  const figures = await measureArm(playable, { arm, isLifeProposed, project: path.resolve(".") });
  writeFileSync(file, JSON.stringify(figures));
  console.error(
    `${playable.id} ${arm}: $${figures.usd.toFixed(2)}, replay $${figures.replay.sendUsd.toFixed(2)}, ${figures.seconds} s`,
  );
  return figures;
}

/** This bundle holds the harness and replay; the module counts where it plays. */
function fingerprint({ file }: Playable, arm: ArmName): string {
  const hash = createHash("sha256")
    .update(file)
    .update(readFileSync(import.meta.filename));
  if (hasModule(arm))
    for (const built of ["hooks/plimsoll.js", "engine/engine-main.cjs"]) hash.update(readFileSync(`plugin/${built}`));
  return hash.digest("hex").slice(0, 12);
}
