/** If red: node_modules is read in full in a live session, or the person cannot switch the guard off. */
import { describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../test/support/fake-client.ts";
import { guardCall } from "./guard.ts";
import { openLive } from "./open-live.ts";

const readOf = (file: string) => ({ tool: "Read", file_path: file });

async function guard(fake: FakeClient, ...calls: readonly ReturnType<typeof readOf>[]): Promise<readonly boolean[]> {
  const live = await openLive(fake.client, fake.machine);
  const refusals = [];
  for (const call of calls)
    refusals.push(
      (await guardCall(fake.client, live, { ...call, file_path: `${live.root}/${call.file_path}` })) !== undefined,
    );
  return refusals;
}

describe("the guard of a call", () => {
  it("keeps heavy folders out by default, says why, and writes it down", async () => {
    const fake = createFakeClient();
    const live = await openLive(fake.client, fake.machine);
    const why = await guardCall(fake.client, live, readOf(`${live.root}/node_modules/oak/index.js`));
    expect(why).toContain("node_modules");
    expect(fake.files.get(`${live.folder}/deeds-module.jsonl`)).toMatch(
      /"kind":"blocked","tool":"Read","why":".*node_modules/,
    );
    expect(await guardCall(fake.client, live, readOf(`${live.root}/src/hull.ts`))).toBeUndefined();
  });

  it("follows both ignore files, ours last", async () => {
    const fake = createFakeClient();
    fake.files.set(`${fake.session.root}/.ckignore`, "secret/\nlogs/");
    fake.files.set(`${fake.session.root}/.plimsollignore`, "!logs/\n!dist/");
    const files = ["secret/a", "logs/a", "dist/a", "node_modules/a"].map(readOf);
    expect(await guard(fake, ...files)).toEqual([true, false, false, true]);
  });

  it("lets everything pass where the person has switched it off", async () => {
    const fake = createFakeClient();
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, '{"guard": false}');
    expect(await guard(fake, readOf("node_modules/a"))).toEqual([false]);
  });
});
