import { describe, expect, it } from "vitest";
import { setAgreed } from "../../../test/support/agree.ts";
import { createFakeClient } from "../../../test/support/fake-client.ts";
import { story } from "../../../test/support/story.ts";
import { DEFAULT_SETTINGS } from "../../policy/settings/settings.ts";
import { roomOf, saveLive } from "./live.ts";
import { closeFolder, openLive } from "./open-live.ts";
import { readHealth } from "./status.ts";

const ID = "5e5510a0-0000-4000-8000-000000000001";
const FOLDER = `/home/dev/.claude/data/plimsoll/sessions/${ID}`;

describe("a live session", () => {
  it("is opened with its places, and with the client's own values of the line", async () => {
    const fake = createFakeClient();
    fake.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "180000");
    expect(await openLive(fake.client)).toMatchObject({
      sessionId: ID,
      root: "/home/dev/demo",
      folder: FOLDER,
      transcript: `/home/dev/.claude/projects/-home-dev-demo/${ID}.jsonl`,
      toolResults: `/home/dev/.claude/projects/-home-dev-demo/${ID}/tool-results/`,
      settings: DEFAULT_SETTINGS,
      line: { window: "180000", percent: undefined, isLowered: false },
      cacheLife: { isHour: false, isTold: false },
    });
    expect(fake.writes).toEqual([]);
  });

  it("keeps its data where the person has moved the client's folder to", async () => {
    const fake = createFakeClient();
    fake.env.set("CLAUDE_CONFIG_DIR", "/elsewhere");
    fake.files.set("/elsewhere/plimsoll.json", '{"fold": false}');
    const live = await openLive(fake.client);
    expect(live.folder).toBe(`/elsewhere/data/plimsoll/sessions/${ID}`);
    expect(live.settings.isFolding).toBe(false);
  });

  it("opens with the defaults where the project has a pipe in the place of its settings", async () => {
    const fake = createFakeClient();
    fake.pipes.add("/home/dev/demo/.plimsoll/settings.json");
    expect((await openLive(fake.client)).settings).toEqual(DEFAULT_SETTINGS);
  });

  it("does not open under an id that would lead elsewhere", async () => {
    await expect(openLive(createFakeClient({ id: "../../x" }).client)).rejects.toThrow("not a valid session id");
  });

  it("has the person's settings, and over them the project's", async () => {
    const fake = createFakeClient();
    fake.files.set("/home/dev/.claude/plimsoll.json", '{"fold": false, "compaction": "native"}');
    setAgreed(fake, "/home/dev/demo/.plimsoll/settings.json", '{"compaction": "assisted"}');
    expect((await openLive(fake.client)).settings).toEqual({
      ...DEFAULT_SETTINGS,
      isFolding: false,
      compaction: "assisted",
    });
  });

  it.each(["", "{", "[]", "null", '"on"'])("keeps to its defaults where a settings file holds %j", async (text) => {
    const fake = createFakeClient();
    fake.files.set("/home/dev/.claude/plimsoll.json", text);
    expect((await openLive(fake.client)).settings).toEqual(DEFAULT_SETTINGS);
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
      for (const [path, text] of Object.entries(files)) fake.files.set(path, text);
      const live = await openLive(fake.client);
      live.watch.events(story().asks("Paint.").says("Painted.").events());
      const { compactionPointTokens } = readHealth(live);
      expect(roomOf(live).lineTokens).toBe(compactionPointTokens);
      return compactionPointTokens;
    };
    expect(await point({})).toBe(167_000);
    expect(await point({ [WINDOW]: "100000" })).toBe(67_000);
    expect(await point({ [WINDOW]: "120k" })).toBe(87_000);
    expect(await point({ [WINDOW]: "100k", [PERCENT]: "50" })).toBe(40_000);
    const own = { "/home/dev/.claude/settings.json": '{"autoCompactWindow": 140000}' };
    expect(await point({}, own)).toBe(107_000);
    expect(await point({}, { ...own, "/home/dev/demo/.claude/settings.json": '{"autoCompactWindow": 130000}' })).toBe(
      97_000,
    );
    const line = { "/home/dev/.claude/plimsoll.json": '{"line": "60k"}' };
    expect(await point({ [WINDOW]: "100000" }, line)).toBe(60_000);
    expect(await point({ [WINDOW]: "100000", [PERCENT]: "50" }, line)).toBe(40_000);
  });

  it("is off where the environment says so, whatever the files say", async () => {
    const fake = createFakeClient();
    fake.env.set("PLIMSOLL_OFF", "1");
    fake.files.set("/home/dev/.claude/plimsoll.json", '{"on": true}');
    expect((await openLive(fake.client)).settings.isOn).toBe(false);
    fake.env.set("PLIMSOLL_OFF", "");
    expect((await openLive(fake.client)).settings.isOn).toBe(true);
  });

  it("goes on in another process from what the first one saved, journal and all", async () => {
    const fake = createFakeClient();
    const first = await openLive(fake.client);
    first.watch.events(story().asks("Never touch the chain.").calls("Bash", { command: "paint" }, "ok").events());
    first.policy = { ...first.policy, told: { ...first.policy.told, rules: "1a2b", state: "3c4d" } };
    first.journal.note("session.start", { kind: "failed", why: "first" });
    await saveLive(fake.client, first);

    // The conversation is not read again where it was followed.
    fake.session.apiMessages = [{ role: "user", content: [{ type: "text", text: "Twice?" }] }];
    const second = await openLive(fake.client);
    expect(second.watch.happened().state).toEqual(JSON.parse(JSON.stringify(first.watch.happened().state)));
    expect(second.policy).toEqual(first.policy);
    second.journal.note("session.start", { kind: "failed", why: "second" });
    await second.journal.flush();
    const lines = fake.files.get(`${FOLDER}/deeds-module.jsonl`)?.trimEnd().split("\n") ?? [];
    expect(lines.map((line) => JSON.parse(line).why)).toEqual(["first", "second"]);
  });

  it("reads a conversation whose beginning nobody followed", async () => {
    const fake = createFakeClient();
    fake.session.apiMessages = [{ role: "user", content: [{ type: "text", text: "Never touch the chain." }] }];
    const live = await openLive(fake.client);
    expect(live.watch.happened().state.words.map(({ text }) => text)).toEqual(["Never touch the chain."]);
  });

  it("opens although nothing can be asked of the engine but where it is", async () => {
    const fake = createFakeClient();
    const session = {
      ...fake.client.session,
      messages: () => Promise.reject(new Error("busy")),
      version: () => Promise.reject(new Error("busy")),
    };
    expect((await openLive({ ...fake.client, session })).sessionId).toBe(ID);
  });

  it("closes its folder and the one above it to others", async () => {
    const fake = createFakeClient();
    await closeFolder(fake.client, await openLive(fake.client));
    expect(fake.ran).toEqual([expect.stringContaining(` chmod 700 /home/dev/.claude/data/plimsoll ${FOLDER}`)]);
  });
});
