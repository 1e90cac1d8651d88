/** If red: the model cannot get a folded output back whole, or gets pages and lines that it did not ask for. */
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../test/support/fake-client.ts";
import { bodyOf, joinPages, parseRecalled } from "../../../test/support/recalled.ts";
import { story } from "../../../test/support/story.ts";
import type { JsonObject } from "../../core/json.ts";
import { sha256 } from "../../core/sha256.ts";
import { foldOutput } from "../../fold/fold-output.ts";
import { nameHandle } from "../../fold/marker.ts";
import { renderSections } from "../../layers/ledger/sections.ts";
import { readRecalls } from "../../recorded/read-recalls.ts";
import { recall } from "../../survive/recall/recall.ts";
import type { ClientPort } from "./client-port.ts";
import { RECALL_SPEC } from "./link/offers.ts";
import type { Live } from "./live.ts";
import { openLive } from "./open-live.ts";
import { countRecalls, createLivePort, recallInClient, toToolResult } from "./recall-tool.ts";

const LOG = Array.from({ length: 900 }, (_, index) => `plank ${index} is sound`).join("\n");

let fake: FakeClient;
let live: Live;
beforeEach(async () => {
  fake = createFakeClient();
  live = await openLive(fake.client, fake.machine);
  live.watch.events(
    story()
      .asks("Look.")
      .calls("Bash", { command: "one" }, "one", { callId: "toolu_aaaaaa01" })
      .calls("Read", { file_path: "/p/two.ts" }, "two", { callId: "toolu_aaaaaa02" })
      .calls("Bash", { command: "three" }, "three", { callId: "toolu_aaaaaa03" })
      .events(),
  );
});

/** What the model reads: the texts of an answer, or the words of an error behind a sign of it. */
async function ask(input: JsonObject, client: ClientPort = fake.client): Promise<string> {
  const answer = await recall(input, createLivePort(client, live));
  return answer.isError
    ? `ERROR ${answer.words}`
    : answer.blocks.filter((block) => typeof block === "string").join("\n");
}
const NOTHING = /^ERROR Nothing is kept under "/;

describe("recall", () => {
  /** All pages of an answer, as many as it says that there are. */
  async function askAll(input: JsonObject): Promise<readonly string[]> {
    const first = await ask(input);
    const pages = Number(/\[page 1 of (\d+)/.exec(first)?.[1] ?? 1);
    const asked = Array.from({ length: pages - 1 }, (_, index) => ask({ ...input, page: index + 2 }));
    return [first, ...(await Promise.all(asked))];
  }

  it("gives a folded result of 15 KB back by its handle in one call, word for word", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "make" });
    const handle = `plimsoll:${kept?.sha256.slice(0, 12)}`;
    expect(LOG.length).toBeGreaterThan(15_000);
    expect(await ask({ handle })).toBe(`[${handle}: ${LOG.length} characters]\n${LOG}\n[end]`);
  });

  it("is counted once a compaction has gone before, in every session of the person, for the price of the next ones", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "make" });
    const call = { handle: `plimsoll:${kept?.sha256.slice(0, 12)}` };
    const figures = (): unknown => readRecalls(`${fake.home}/.claude`)[live.root];
    await recallInClient(fake.client, live, call);
    expect(figures()).toBeUndefined();
    live.conversation = { ...live.conversation, hasAnswered: true };
    await recallInClient(fake.client, live, call);
    await recallInClient(fake.client, live, { handle: "plimsoll:000000000000" });
    expect(figures()).toEqual({ compactions: 0, recalls: 1 });
    expect((await openLive(fake.client, fake.machine)).recalls.rate).toBeUndefined();
    for (let times = 0; times < 10; times++) await countRecalls(live, { compactions: 1, recalls: 3 });
    expect((await openLive(fake.client, fake.machine)).recalls.rate).toBeCloseTo(3.1);
  });

  it("gives every page of a longer one back", async () => {
    const long = LOG.repeat(8);
    const kept = live.store.keep({ output: long, tool: "Bash", command: "make" });
    const handle = `plimsoll:${kept?.sha256.slice(0, 12)}`;
    const pages = await askAll({ handle });
    const [first] = pages;
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.map(bodyOf).join("")).toBe(long);
    expect(first).toMatch(new RegExp(`^\\[${handle}: characters 1 to \\d+ of ${long.length}\\]\n`));
    expect(first).toMatch(/\n\[end\]\n\[page 1 of \d+; page 2 continues; pass lines or pattern for a part\]$/);
    expect(pages.every((page) => page.length < 50_000)).toBe(true);
  });

  it("says how many pages there are where one is asked for that is not", async () => {
    const kept = live.store.keep({ output: LOG.repeat(8), tool: "Bash", command: "make" });
    const pages = (await askAll({ handle: kept?.sha256 ?? "" })).length;
    expect(await ask({ handle: kept?.sha256 ?? "", page: pages + 1 })).toBe(
      `ERROR There is no page ${pages + 1}: there are ${pages} pages.`,
    );
    const short = live.store.keep({ output: "oak", tool: "Bash", command: "" });
    expect(await ask({ handle: short?.sha256 ?? "", page: 2 })).toContain("no page 2: there is one page");
  });

  it("gives several handles back in one call, each under its own heading, and says which are unknown", async () => {
    const keep = async (output: string) =>
      `plimsoll:${live.store.keep({ output, tool: "Bash", command: "" })?.sha256.slice(0, 12)}`;
    const [oak, elm] = [await keep("oak"), await keep("elm\n")];
    const both = [
      { heading: oak, body: "oak" },
      { heading: elm, body: "elm\n" },
    ];
    for (const handle of [`${oak} ${elm}`, `${oak},${elm}`, `${oak}, ${elm},`, [oak, elm], `["${oak}","${elm}"]`])
      expect(parseRecalled(await ask({ handle }))).toEqual(both);
    const mixed = await ask({ handle: `${oak} plimsoll:000000000000 ${elm}` });
    expect(parseRecalled(mixed)).toEqual(both);
    expect(mixed).toMatch(/^\[Nothing is kept under "plimsoll:000000000000"\. Nearest known: /);
  });

  it("bounds several texts together by the page, and joined they are whole", async () => {
    const logs = Array.from({ length: 6 }, (_, index) => `${index}\n${LOG}`);
    const handles: string[] = [];
    for (const output of logs) handles.push(live.store.keep({ output, tool: "Bash", command: "" })?.sha256 ?? "");
    const pages = await askAll({ handle: handles });
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every((page) => page.length < 50_000)).toBe(true);
    expect(joinPages(pages)).toBe(logs.join(""));
  });

  it("gives a picture back as a picture, among texts, and as text where lines are asked for", async () => {
    const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const keep = async (output: string) =>
      `plimsoll:${live.store.keep({ output, tool: "Read", command: "" })?.sha256.slice(0, 12)}`;
    const [oak, picture] = [await keep("oak"), await keep(`data:image/png;base64,${data}`)];
    expect(
      toToolResult(await recall({ handle: `${oak} ${picture} ${oak}#` }, createLivePort(fake.client, live))),
    ).toMatchObject({
      result: [
        {
          type: "text",
          text: expect.stringContaining(`[${oak}: 3 characters]\noak\n[end]\n[${picture}: image/png, 70 bytes]`),
        },
        { type: "image", source: { type: "base64", media_type: "image/png", data } },
      ],
    });
    expect(bodyOf(await ask({ handle: picture, lines: [1, 1] }))).toBe(`data:image/png;base64,${data}`);
  });

  it("keeps the blanks at the ends of a page between its own lines", async () => {
    const kept = live.store.keep({ output: "\n  indented\n\n", tool: "Bash", command: "" });
    const answer = await ask({ handle: kept?.sha256 ?? "" });
    expect(answer.trim()).toBe(answer);
    expect(bodyOf(answer)).toBe("\n  indented\n\n");
  });

  it("takes the handle bare, whole or with blanks around it", async () => {
    const kept = live.store.keep({ output: "planks", tool: "Bash", command: "" });
    const hash = kept?.sha256 ?? "";
    for (const handle of [hash, hash.slice(0, 12), `plimsoll:${hash.slice(0, 8)}`, ` plimsoll:${hash}\n`])
      expect(bodyOf(await ask({ handle }))).toBe("planks");
  });

  it("gives lines, or the lines that match", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "" });
    const handle = kept?.sha256 ?? "";
    expect(bodyOf(await ask({ handle, lines: [2, 3] }))).toBe("plank 1 is sound\nplank 2 is sound");
    expect(await ask({ handle, pattern: "plank 77 " })).toContain("78: plank 77 is sound");
  });

  it("takes numbers that came as text", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "" });
    const handle = kept?.sha256 ?? "";
    for (const lines of ["2-3", ["2", "3"], [3, 2]])
      expect(bodyOf(await ask({ handle, lines, page: "1" }))).toBe("plank 1 is sound\nplank 2 is sound");
  });

  it.each([
    [{}, "Give a handle"],
    [{ handle: 7 }, "Give a handle"],
    [{ handle: " , " }, "Give a handle"],
    [{ handle: "call:aaaa01", page: 0 }, "page must be a number of at least 1, not 0."],
    [{ handle: "call:aaaa01", page: 1.5 }, "page must be a number of at least 1, not 1.5."],
    [{ handle: "call:aaaa01", page: "next" }, 'page must be a number of at least 1, not "next".'],
    [
      { handle: "call:aaaa01", lines: ["a", "b"] },
      'lines must be [from, to] or a list of lines, all at least 1, not ["a","b"].',
    ],
    [{ handle: "call:aaaa01", lines: [0, 4] }, "lines must be [from, to] or a list of lines, all at least 1"],
    [{ handle: "call:aaaa01", pattern: 7 }, "pattern must be a string, not 7."],
    [{ handle: Array.from({ length: 101 }, (_, index) => `call:${index}`) }, "Too many handles: 101. Pass at most 100"],
  ])("says what is wrong with %j", async (input, words) => {
    expect(await ask(input)).toContain(`ERROR`);
    expect(await ask(input)).toContain(words);
  });

  it("says how many lines there are where none of the wanted is there", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "" });
    expect(await ask({ handle: kept?.sha256 ?? "", lines: [901, 950] })).toMatch(/^ERROR .* has 900 lines\.$/);
  });

  it("names the nearest handles where one is wrong, and the calls too", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "" });
    const handle = `plimsoll:${kept?.sha256.slice(0, 12)}`;
    const typo = `${handle.slice(0, -2)}${handle.endsWith("zz") ? "aa" : "00"}`;
    const [first] = /Nearest known: (plimsoll:\w+)/.exec(await ask({ handle: typo }))?.slice(1) ?? [];
    expect(first).toBe(handle);
    expect(await ask({ handle: `${handle.slice(0, 12)}` })).toContain(`Nearest known: ${handle}`);
    expect(await ask({ handle: "call:aaaa09" })).toContain("Nearest known: call:aaaa0");
  });

  it("says so where what is kept is no longer what was stored", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "" });
    const place = [...fake.files.keys()].find((name) => name.endsWith(`/${kept?.sha256}`)) ?? "";
    fake.files.set(place, "something else");
    const handle = `plimsoll:${kept?.sha256.slice(0, 12)}`;
    expect(await ask({ handle })).toMatch(/^ERROR .*: the bytes kept under \w+ have changed since they were stored\.$/);
  });

  it("gives a call's result back after a compaction has taken it away", async () => {
    live.store.archive([{ callId: "toolu_aaaaaa02", text: "two, whole" }]);
    for (const handle of ["call:aaaa02", "toolu_aaaaaa02", "call:toolu_aaaaaa02"])
      expect(bodyOf(await ask({ handle }))).toBe("two, whole");
  });

  it("gives the original back where what was archived is its fold", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "make" });
    const folded = foldOutput(LOG, { tool: "Bash", command: "make" }, kept ?? { sha256: "", path: "" });
    live.store.archive([{ callId: "toolu_aaaaaa01", text: folded.text }]);
    expect(bodyOf(await ask({ handle: "call:aaaa01", lines: [900, 900] }))).toBe("plank 899 is sound");
  });

  it("gives the fold back where its original is gone: better than nothing", async () => {
    const folded = foldOutput(LOG, { tool: "Bash" }, { sha256: "ab".repeat(32), path: "gone.md" }).text;
    live.store.archive([{ callId: "toolu_aaaaaa01", text: folded }]);
    expect(bodyOf(await ask({ handle: "call:aaaa01" }))).toBe(folded);
  });

  it("gives a result back that still stands in the conversation", async () => {
    fake.session.messages = [
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "toolu_aaaaaa03", text: "three, whole" }] },
    ];
    expect(bodyOf(await ask({ handle: "call:aaaa03" }))).toBe("three, whole");
  });

  it("gives the original back where what still stands in the conversation is its fold", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "make" });
    const { text } = foldOutput(LOG, { tool: "Bash", command: "make" }, kept ?? { sha256: "", path: "" });
    fake.session.messages = [
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "toolu_aaaaaa03", text }] },
    ];
    expect(bodyOf(await ask({ handle: "call:aaaa03", lines: [900, 900] }))).toBe("plank 899 is sound");
  });

  describe("of a segment of ledger", () => {
    const SEGMENT = renderSections([
      ["1i", '{"command":"make"}'],
      ["1", LOG],
      ["2i", '{"command":"touch"}'],
      ["3", "\n  words of the model\n"],
    ]);
    const keep = async (): Promise<string> => {
      const kept = live.store.keep({ output: SEGMENT, tool: "ledger", command: "" });
      return `plimsoll:${kept?.sha256.slice(0, 12)}`;
    };

    it("gives a line's call and its result, each under a heading, and lines or matches of them", async () => {
      const handle = `${await keep()}#1`;
      expect(parseRecalled(await ask({ handle }))).toEqual([
        { heading: `${handle} call`, body: '{"command":"make"}' },
        { heading: `${handle} result`, body: LOG },
      ]);
      expect(bodyOf(await ask({ handle, lines: [900, 900] }))).toBe("plank 899 is sound");
      expect(await ask({ handle, pattern: "plank 77 " })).toContain("78: plank 77 is sound");
      expect(await ask({ handle, pattern: "plank 77 " })).not.toContain("make");
      expect(await ask({ handle, pattern: "keelson" })).toContain("0 of 900 lines match");
    });

    it("gives what a line was called with or its result alone, and what there is where it is only one", async () => {
      const handle = await keep();
      expect(bodyOf(await ask({ handle: `${handle}#1i` }))).toBe('{"command":"make"}');
      expect(bodyOf(await ask({ handle: `${handle}#1r` }))).toBe(LOG);
      expect(bodyOf(await ask({ handle: `${handle}#2` }))).toBe('{"command":"touch"}');
      expect(bodyOf(await ask({ handle: ` ${handle}#3\n` }))).toBe("\n  words of the model\n");
    });

    it("gives each of a range of lines, however it is written", async () => {
      const handle = await keep();
      const expected = [
        { heading: `${handle}#2 call`, body: '{"command":"touch"}' },
        { heading: `${handle}#3`, body: "\n  words of the model\n" },
      ];
      for (const range of ["#2-#3", "#2-3", "#2..3", "#3-2", "#2-999999999", "#2,#3", "#2 #3"])
        expect(parseRecalled(await ask({ handle: handle + range }))).toEqual(expected);
      expect(parseRecalled(await ask({ handle: `${handle}#1i, #2-3` }))).toHaveLength(3);
    });

    it("lists what is in it where no line is named", async () => {
      const lines = bodyOf(await ask({ handle: await keep() })).split("\n");
      expect(lines.slice(1)).toEqual([
        expect.stringContaining(`#1: call 18 characters, result ${LOG.length} characters, `),
        expect.stringContaining("#2: call 19 characters, "),
        expect.stringContaining("#3: 22 characters, "),
      ]);
    });

    it.each(["#4", "#3i", "#2r", "#40-50", "#toString", "#__proto__", "#", "#1#1", "#../1"])(
      "says which lines there are where %s is none of it",
      async (line) => {
        const handle = await keep();
        expect(await ask({ handle: handle + line })).toBe(`ERROR There is no ${handle}${line}: ${handle} has #1-3.`);
      },
    );

    it("finds one that was too long for a file in the session's archive", async () => {
      const handle = nameHandle(sha256(SEGMENT));
      live.store.archive([{ callId: handle, text: SEGMENT }]);
      expect(bodyOf(await ask({ handle: `${handle}#3` }))).toContain("words of");
    });
  });

  it("says that an ordinary result has no numbered lines", async () => {
    const kept = live.store.keep({ output: LOG, tool: "Bash", command: "" });
    const answer = await ask({ handle: `plimsoll:${kept?.sha256}#1` });
    expect(answer).toMatch(/^ERROR There is no plimsoll:\w+#1: plimsoll:\w+ has no numbered lines/);
  });

  it.each([
    "call:",
    "call:zzzzzz",
    "call:0",
    "plimsoll:000000000000",
    "plimsoll:../../../etc/passwd",
    "/etc/passwd",
    "call:aaaa01..call:zzzz",
  ])("says in words what to do where nothing is kept under %j", async (handle) => {
    const answer = await ask({ handle });
    expect(answer).toMatch(NOTHING);
    expect(answer).toContain("Handles look like plimsoll:");
  });

  it("does not guess which call is meant", async () => {
    live.watch.events(story().calls("Bash", { command: "x" }, "x", { callId: "other_aaaa01" }).events());
    expect(await ask({ handle: "call:aaaa01" })).toMatch(NOTHING);
  });

  it("says so where the conversation cannot be asked for, and does not fail", async () => {
    const client = {
      ...fake.client,
      session: { ...fake.client.session, messages: () => Promise.reject(new Error("busy")) },
    };
    expect(await ask({ handle: "call:aaaa03" }, client)).toMatch(NOTHING);
  });

  it("is a tool of one required field under the plugin's own name, listed from the first request on", () => {
    expect(RECALL_SPEC).toMatchObject({ inputSchema: { required: ["handle"] }, isDeferred: false });
  });
});
