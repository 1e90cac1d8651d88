/** If red: `plimsoll install --cache-life` does not reach the requests, or a cache that expired is taken for warm. */

import { afterEach, describe, expect, it } from "vitest";
import { isRecord } from "../api/messages-body.ts";
import { answer, call } from "../api/replies.ts";
import { BRISK } from "../api/stream-events.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { fetchClient } from "./fetch-client.ts";
import { type Play, type PlayOptions, play } from "./play.ts";

const SIX_MINUTES_MS = 6 * 60_000;

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

async function plimsoll({ workspace: { home, cwd } }: Play, ...words: readonly string[]): Promise<void> {
  const client = ["--program", await fetchClient("2.1.325")];
  const options = { environment: { HOME: home, PATH: "/usr/bin:/bin" }, directory: cwd, nowMs: Date.now };
  expect(await runPlimsoll([...words, "--yes", ...client], options)).toMatchObject({ exitCode: 0 });
}

/** The lives of the marks in what a request says, from the first to the last. */
function listLives(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listLives);
  if (!isRecord(value)) return [];
  const mark = value.cache_control;
  return [...(isRecord(mark) ? [String(mark.ttl ?? "5m")] : []), ...listLives(value.content)];
}

/** One request each of the session and of a subagent: `system prompt / messages`. */
async function seeMarks(session: Play, options: Partial<PlayOptions> = {}): Promise<readonly string[]> {
  const before = session.api.requests.length;
  await session.run({ prompts: ["Look."], plugins: [], ...options });
  const sent = session.api.requests.slice(before);
  return (["main", "subagent"] as const).map((lane) => {
    const body = sent.find((request) => request.lane === lane)?.body;
    return `${listLives(body?.system).join(" ")} / ${listLives(body?.messages).join(" ")}`;
  });
}

const delegate = [
  answer(call("Agent", { description: "look", prompt: "Look.", subagent_type: "general-purpose" })),
  answer("Seen."),
];

describe("the marks on the wire", () => {
  it("live as install has set them, and as before once it is taken out", async () => {
    const session = await open({
      main: (_, index) => delegate[index % 2] ?? answer("Seen."),
      subagents: [[answer("Done.")]],
    });
    const short = "5m 5m / 5m";
    expect(await seeMarks(session)).toEqual([short, short]);
    await plimsoll(session, "install", "--cache-life", "1h+5m");
    expect((await seeMarks(session))[0]).toBe("1h 1h / 5m");
    await plimsoll(session, "install", "--cache-life", "1h");
    expect((await seeMarks(session))[0]).toBe("1h 1h / 1h");
    expect((await seeMarks(session, { env: { FORCE_PROMPT_CACHING_5M: "1" } }))[0]).toBe(short);
    await plimsoll(session, "uninstall");
    expect((await seeMarks(session))[0]).toBe(short);
  });

  it("of a subagent live five minutes, whatever a variable gives to all", async () => {
    const session = await open({ main: delegate, subagents: [[answer("Done.")]] });
    await plimsoll(session, "install", "--cache-life", "1h+5m");
    const marks = await seeMarks(session, { env: { ENABLE_PROMPT_CACHING_1H: "1" } });
    expect(marks).toEqual(["1h 1h / 5m", "5m 5m / 5m"]);
  });
});

describe("after a break of six minutes", () => {
  it.each([
    [
      "1h+5m",
      { promptCacheTtl: "1h", env: { CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL: "5m" } },
      ["the cache has expired"],
    ],
    ["1h", { promptCacheTtl: "1h" }, []],
  ])("with a cache life of %s the module compacts only what has to be written again", async (life, settings, whys) => {
    let nowMs = 0;
    const day = Array.from({ length: 17 }, (_, step) =>
      answer(`Row ${step}.`, call("Bash", { command: `seq ${step} ${step + 500} | tr '\\n' ' '` })),
    );
    const session = await open({
      main: (_, index) => day[index] ?? answer("Painted."),
      scale: 4,
      pace: BRISK,
      nowMs: () => nowMs,
    });
    await session.workspace.writeHome(".claude/settings.json", JSON.stringify(settings));
    const { sessionId } = await session.run({ prompts: ["Build."], timeoutMs: 100_000 });
    await session.ageState(SIX_MINUTES_MS);
    nowMs += SIX_MINUTES_MS;
    const { events } = await session.run({ prompts: ["Paint."], resume: sessionId });
    expect(session.api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
    const compacted = (await session.actions()).filter(({ kind }) => kind === "compacted");
    expect(compacted.map(({ why }) => String(why).match(/the cache has expired/)?.[0])).toEqual(whys);
    // What the API was asked to write after the break is written for the conversation's own life.
    const written = events
      .flatMap(({ message }) => (isRecord(message) && isRecord(message.usage) ? [message.usage.cache_creation] : []))
      .flatMap((lives) => (isRecord(lives) ? [[lives.ephemeral_1h_input_tokens, lives.ephemeral_5m_input_tokens]] : []))
      .map((tokens) => tokens.map((count) => Number(count) > 0))
      .find((lives) => lives.includes(true));
    expect(written).toEqual(life === "1h" ? [true, false] : [false, true]);
  });
});
