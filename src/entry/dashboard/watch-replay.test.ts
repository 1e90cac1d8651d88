/** If red: the page shows results of a replay that is gone, or does not say which command makes one. */
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { answerPolicy, answerReplay } from "../../../test/support/replay-answer.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { keepLastReplay } from "../../recorded/last-replay.ts";
import { readWhatIf, watchReplay } from "./watch-replay.ts";

const { name } = createTemporaryFolder();

function write(text: string): string {
  const file = name(".json");
  writeFileSync(file, text);
  return file;
}

it("says which command to run as long as there is no replay", () => {
  expect(readWhatIf(undefined)).toMatchObject({ status: "none", command: expect.stringContaining("plimsoll replay") });
});

it("shows the policies of a file, without its sessions", () => {
  const answer = answerReplay({ policies: [answerPolicy({ name: "native", netUsd: 3 })] });
  const { cacheLives: _, sessions: __, shortSessions: ___, ...shown } = answer;
  expect(readWhatIf(write(JSON.stringify(answer)))).toEqual({ status: "replayed", ...shown });
});

it.each(["", "{", "{}", JSON.stringify(answerReplay({}))])("says what is wrong with a file that holds %j", (text) => {
  expect(readWhatIf(write(text))).toMatchObject({
    status: "none",
    why: expect.stringMatching(/cannot be read|no totals/),
  });
});

it("says that a file is gone", () => {
  expect(readWhatIf(name(".json"))).toMatchObject({ status: "none", why: expect.stringContaining("ENOENT") });
});

it.each([
  ["done", JSON.stringify(answerReplay({}))],
  ["none", "{}"],
  ["none", "{"],
])("counts a replay as %s whose answer is %s", (status, answer) => {
  const environment = { HOME: name() };
  keepLastReplay(environment, answer);
  const watch = watchReplay({ environment, nowMs: Date.now, clockMs: () => 1, isOwn: true });
  expect(watch.look(() => [], false)).toBe(true);
  expect(watch.state()).toEqual({ status });
});
