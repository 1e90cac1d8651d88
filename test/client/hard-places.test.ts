import { execFileSync } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { expectLawful } from "../laws/verdict.ts";
import { needs } from "../support/needs.ts";
import { type Play, play, resultIn, sent } from "./play.ts";
import type { ClientResult } from "./run-client.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

/** The client with mounts of its own, which its own commands may change. */
const inOwnMounts = (mount: string): readonly string[] => ["unshare", "-m", "sh", "-c", `${mount} && exec "$@"`, "sh"];
const READ_ONLY_LATER = inOwnMounts('mount --bind "$HOME" "$HOME"');
const SMALL_DISK = inOwnMounts("mount -t tmpfs -o size=4m tmpfs . && cd .");

function canMount(): boolean {
  try {
    execFileSync("unshare", ["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
const withMounts = needs(canMount(), "no mounts can be made here");

const linesOf = (run: ClientResult): readonly string[] =>
  run.events.flatMap(({ subtype, text }) => (subtype === "ui_log" ? [String(text)] : []));
const work = (step: number) =>
  answer(`Row ${step}.`, call("Bash", { command: `seq -f "row ${step} plank %g is dry" 1 300` }));

withMounts.describe("in a hard place", () => {
  withMounts.it("announces no compaction that the client cannot carry out: a HOME that became read-only", async () => {
    const freeze = answer(call("Bash", { command: 'mount -o remount,ro,bind "$HOME"' }));
    const main = [...[1, 2, 3, 4, 5].map(work), freeze, answer("Frozen."), ...[6, 7].map(work), answer("Done.")];
    const session = await open({ main }, { early: "off" });
    const run = await session.run({
      prompts: ["Begin.", "/compact", "Go on."],
      wrap: READ_ONLY_LATER,
      timeoutMs: 120_000,
    });
    const isCompacted = sent(session.api.requests.at(-1)).includes("was replaced by this record");
    const shown = linesOf(run).filter((line) => line.includes(" → "));
    expect(shown, `${isCompacted ? "" : "not "}compacted`).toHaveLength(isCompacted ? 1 : 0);
    expectLawful(await session.audit({ mayRewind: false, summarises: isCompacted ? "plimsoll" : "client" }));
  });

  withMounts.it("repairs .plimsoll/.gitignore after a full disk has room again", async () => {
    const fill = answer(call("Bash", { command: "head -c 9M /dev/zero > filler 2>/dev/null; ls -l filler" }));
    const fold = answer(call("Bash", { command: "seq 1 9000" }));
    const room = answer(call("Bash", { command: "rm filler; df . | tail -n 1" }));
    const look = answer(
      call("Bash", {
        command:
          "cat .plimsoll/artifacts/.gitignore .plimsoll/.gitignore; git init -q . && git status --porcelain -uall",
      }),
    );
    const session = await open({ main: [fill, fold, room, fold, answer("Half."), look, answer("Done.")] });
    await session.run({ prompts: ["Begin.", "/compact", "Look."], wrap: SMALL_DISK, timeoutMs: 120_000 });
    const looked = resultIn(session.api.requests.at(-1), "toolu_main_5_0");
    expect(looked).toBe("*\n*");
  });
});

it("folds a result of 4.8 MB that the client put away, keeps it whole, and shows the line that failed", async () => {
  const command = `seq -f "plank %g was measured and it is dry and it is sound" 1 100000; echo "FAIL: the rudder is missing"; seq 1 20`;
  const session = await open({ main: [answer(call("Bash", { command })), answer("Seen."), answer("Done.")] });
  await session.run({ prompts: ["Measure.", "Go on."], timeoutMs: 120_000 });
  const shown = resultIn(session.api.requests[1], "toolu_main_0_0");
  expect(shown).not.toContain("persisted-output");
  expect(shown).toContain("FAIL: the rudder is missing");
  expectLawful(await session.audit({ mayRewind: false }));
});
