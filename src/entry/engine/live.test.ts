/** If red: a session opens with settings of another project, or not at all where a file is damaged. */
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { setAgreed } from "../../../test/support/agree.ts";
import { createFakeClient } from "../../../test/support/fake-client.ts";
import { story } from "../../../test/support/story.ts";
import { DEFAULT_SETTINGS } from "../../policy/settings/settings.ts";
import { roomOf, saveLive } from "./live.ts";
import { openLive } from "./open-live.ts";
import { readHealth } from "./status.ts";

const ID = "5e5510a0-0000-4000-8000-000000000001";

describe("a live session", () => {
  it("is opened with its places", async () => {
    const fake = createFakeClient();
    const conversation = `${fake.home}/.claude/projects/${fake.session.root.replaceAll(/[^0-9A-Za-z]/g, "-")}/${ID}`;
    expect(await openLive(fake.client, fake.machine)).toMatchObject({
      sessionId: ID,
      root: fake.session.root,
      folder: `${fake.home}/.claude/data/plimsoll/sessions/${ID}`,
      transcript: `${conversation}.jsonl`,
      toolResults: `${conversation}/tool-results/`,
      settings: DEFAULT_SETTINGS,
      line: { isLowered: false },
      cacheLife: { isHour: false, isReported: false },
    });
    expect([...fake.files.keys()]).toEqual([]);
  });

  it("keeps its data where the person has moved the client's folder to", async () => {
    const fake = createFakeClient();
    const elsewhere = `${fake.home}/elsewhere`;
    fake.env.set("CLAUDE_CONFIG_DIR", elsewhere);
    fake.files.set(`${elsewhere}/plimsoll.json`, '{"fold": false}');
    const live = await openLive(fake.client, fake.machine);
    expect(live.folder).toBe(`${elsewhere}/data/plimsoll/sessions/${ID}`);
    expect(live.settings.isFolding).toBe(false);
  });

  it("opens with the defaults where the project has a pipe in the place of its settings", async () => {
    const fake = createFakeClient();
    mkdirSync(`${fake.session.root}/.plimsoll`);
    execFileSync("mkfifo", [`${fake.session.root}/.plimsoll/settings.json`]);
    expect((await openLive(fake.client, fake.machine)).settings).toEqual(DEFAULT_SETTINGS);
  });

  it("does not open under an id that would lead elsewhere", async () => {
    await expect(openLive(createFakeClient({ id: "../../x" }).client, createFakeClient().machine)).rejects.toThrow(
      "not a valid session id",
    );
  });

  it("has the person's settings, and over them the project's", async () => {
    const fake = createFakeClient();
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, '{"fold": false, "compaction": "native"}');
    setAgreed(fake, `${fake.session.root}/.plimsoll/settings.json`, '{"compaction": "assisted"}');
    expect((await openLive(fake.client, fake.machine)).settings).toEqual({
      ...DEFAULT_SETTINGS,
      isFolding: false,
      compaction: "assisted",
    });
  });

  it.each(["", "{", "[]", "null", '"on"'])("keeps to its defaults where a settings file holds %j", async (text) => {
    const fake = createFakeClient();
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, text);
    expect((await openLive(fake.client, fake.machine)).settings).toEqual(DEFAULT_SETTINGS);
  });

  it("measures everything against where the client really compacts, whoever has set it", async () => {
    const WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW";
    const PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE";
    const point = async (
      env: Readonly<Record<string, string>>,
      files: Readonly<Record<string, string>> = {},
    ): Promise<number> => {
      const fake = createFakeClient();
      for (const [name, value] of Object.entries(env)) fake.env.set(name, value);
      for (const [path, text] of Object.entries(files)) fake.files.set(`${fake.home}/${path}`, text);
      const live = await openLive(fake.client, fake.machine);
      live.watch.events(story().asks("Paint.").says("Painted.").events());
      const { compactionPointTokens } = readHealth(live);
      expect(roomOf(live).lineTokens).toBe(compactionPointTokens);
      return compactionPointTokens;
    };
    expect(await point({})).toBe(167_000);
    expect(await point({ [WINDOW]: "100000" })).toBe(67_000);
    expect(await point({ [WINDOW]: "120k" })).toBe(87_000);
    expect(await point({ [WINDOW]: "100k", [PERCENT]: "50" })).toBe(40_000);
    const own = { ".claude/settings.json": '{"autoCompactWindow": 140000}' };
    expect(await point({}, own)).toBe(107_000);
    expect(await point({}, { ...own, "demo/.claude/settings.json": '{"autoCompactWindow": 130000}' })).toBe(97_000);
    const line = { ".claude/plimsoll.json": '{"line": "60k"}' };
    expect(await point({ [WINDOW]: "100000" }, line)).toBe(60_000);
    expect(await point({ [WINDOW]: "100000", [PERCENT]: "50" }, line)).toBe(40_000);
  });

  it("is off where the environment says so, whatever the files say", async () => {
    const fake = createFakeClient();
    fake.env.set("PLIMSOLL_OFF", "1");
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, '{"on": true}');
    expect((await openLive(fake.client, fake.machine)).settings.isOn).toBe(false);
    fake.env.set("PLIMSOLL_OFF", "");
    expect((await openLive(fake.client, fake.machine)).settings.isOn).toBe(true);
  });

  it("goes on in another process from what the first one saved, journal and all", async () => {
    const fake = createFakeClient();
    const first = await openLive(fake.client, fake.machine);
    first.watch.events(story().asks("Never touch the chain.").calls("Bash", { command: "paint" }, "ok").events());
    first.policy = { ...first.policy, told: { ...first.policy.told, rules: "1a2b", state: "3c4d" } };
    first.journal.note("session.start", { kind: "failed", why: "first" });
    await saveLive(first);

    // The conversation is not read again where it was followed.
    fake.session.apiMessages = [{ role: "user", content: [{ type: "text", text: "Twice?" }] }];
    const second = await openLive(fake.client, fake.machine);
    expect(second.watch.happened().state).toEqual(JSON.parse(JSON.stringify(first.watch.happened().state)));
    expect(second.policy).toEqual(first.policy);
    second.journal.note("session.start", { kind: "failed", why: "second" });
    const lines = fake.files.get(`${second.folder}/deeds-module.jsonl`)?.trimEnd().split("\n") ?? [];
    expect(lines.map((line) => JSON.parse(line).why)).toEqual(["first", "second"]);
  });

  it("reads a conversation whose beginning nobody followed", async () => {
    const fake = createFakeClient();
    fake.session.apiMessages = [{ role: "user", content: [{ type: "text", text: "Never touch the chain." }] }];
    const live = await openLive(fake.client, fake.machine);
    expect(live.watch.happened().state.words.map(({ text }) => text)).toEqual(["Never touch the chain."]);
  });

  it("opens although nothing can be asked of the client but where it is", async () => {
    const fake = createFakeClient();
    const session = {
      ...fake.client.session,
      messages: () => Promise.reject(new Error("busy")),
      version: () => Promise.reject(new Error("busy")),
    };
    expect((await openLive({ ...fake.client, session }, fake.machine)).sessionId).toBe(ID);
  });

  it("closes its folder and the one above it to others, and what is in it", async () => {
    const fake = createFakeClient();
    const live = await openLive(fake.client, fake.machine);
    live.journal.note("session.start", { kind: "ran", ms: 0 });
    await saveLive(live);
    const modes = [path.join(live.folder, "../.."), live.folder, ...fake.files.keys()].map(
      (at) => statSync(at).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
  });
});
