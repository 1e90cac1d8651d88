import { beforeEach, describe, expect, it } from "vitest";
import { createFakeEngine, type FakeEngine } from "../../test/support/fake-engine.ts";
import { story } from "../../test/support/story.ts";
import { foldOutput } from "../fold/fold-output.ts";
import { renderSections } from "../layers/ledger/sections.ts";
import { cutPages, PAGE_CHARACTERS } from "../session/recall/page-text.ts";
import { writeArchive } from "./archive.ts";
import { type Live, openLive } from "./live.ts";
import { nameRecallTool, RECALL_SPEC, recall } from "./recall.ts";

const LOG = Array.from({ length: 900 }, (_, index) => `plank ${index} is sound`).join("\n");

let fake: FakeEngine;
let live: Live;
beforeEach(async () => {
  fake = createFakeEngine();
  live = await openLive(fake.engine);
  live.watch.events(
    story()
      .asks("Look.")
      .calls("Bash", { command: "one" }, "one", { callId: "toolu_aaaaaa01" })
      .calls("Read", { file_path: "/p/two.ts" }, "two", { callId: "toolu_aaaaaa02" })
      .calls("Bash", { command: "three" }, "three", { callId: "toolu_aaaaaa03" })
      .events(),
  );
});

/** Without the line before and the line after that keep the page's own blanks. */
function pageOf(answer: string): string {
  return answer.replace(/^\[.*\]\n/, "").replace(/\n\[end\]$/, "");
}
const NOTHING = /^Nothing is kept under "/;

describe("recall", () => {
  it("gives every page of a folded result back by its handle, word for word", async () => {
    const kept = await live.shelf.keep({ output: LOG, tool: "Bash", command: "make" });
    const handle = `plimsoll:${kept?.sha256.slice(0, 12)}`;
    const pages = await Promise.all(
      cutPages(LOG).map((_, index) => recall(fake.engine, live, { handle, page: index + 1 })),
    );

    expect(pages.length).toBeGreaterThan(2);
    expect(pages.map(pageOf).join("")).toBe(LOG);
    expect(pages[1]).toMatch(new RegExp(`^\\[${handle}: page 2 of ${pages.length}, ${LOG.length} characters in all`));
  });

  it("keeps the blanks at the ends of a page between its own lines", async () => {
    const kept = await live.shelf.keep({ output: "\n  indented\n\n", tool: "Bash", command: "" });
    const answer = await recall(fake.engine, live, { handle: kept?.sha256 ?? "" });
    expect(answer.trim()).toBe(answer);
    expect(pageOf(answer)).toBe("\n  indented\n\n");
  });

  it("takes the handle bare, whole or with blanks around it", async () => {
    const kept = await live.shelf.keep({ output: "planks", tool: "Bash", command: "" });
    const hash = kept?.sha256 ?? "";
    for (const handle of [hash, hash.slice(0, 12), `plimsoll:${hash.slice(0, 8)}`, ` plimsoll:${hash}\n`])
      expect(pageOf(await recall(fake.engine, live, { handle }))).toBe("planks");
  });

  it("gives lines, or the lines that match", async () => {
    const kept = await live.shelf.keep({ output: LOG, tool: "Bash", command: "" });
    const handle = kept?.sha256 ?? "";
    expect(pageOf(await recall(fake.engine, live, { handle, lines: [2, 3] }))).toBe(
      "plank 1 is sound\nplank 2 is sound",
    );
    expect(await recall(fake.engine, live, { handle, pattern: "plank 77 " })).toContain("78: plank 77 is sound");
  });

  it("passes over wishes of another type", async () => {
    const kept = await live.shelf.keep({ output: "planks", tool: "Bash", command: "" });
    const wish = { handle: kept?.sha256 ?? "", page: "2", lines: ["1", "2"], pattern: 7 };
    expect(pageOf(await recall(fake.engine, live, wish))).toBe("planks");
  });

  it("gives a call's result back after a compaction has taken it away", async () => {
    await writeArchive(fake.engine, live.archives, 1, [{ callId: "toolu_aaaaaa02", text: "two, whole" }]);
    for (const handle of ["call:aaaa02", "toolu_aaaaaa02", "call:toolu_aaaaaa02"])
      expect(pageOf(await recall(fake.engine, live, { handle }))).toBe("two, whole");
  });

  it("gives the original back where what was archived is its fold", async () => {
    const kept = await live.shelf.keep({ output: LOG, tool: "Bash", command: "make" });
    const folded = foldOutput(LOG, { tool: "Bash", command: "make" }, kept ?? { sha256: "", path: "" });
    await writeArchive(fake.engine, live.archives, 1, [{ callId: "toolu_aaaaaa01", text: folded.text }]);
    expect(pageOf(await recall(fake.engine, live, { handle: "call:aaaa01", lines: [900, 900] }))).toBe(
      "plank 899 is sound",
    );
  });

  it("gives the fold back where its original is gone: better than nothing", async () => {
    const folded = foldOutput(LOG, { tool: "Bash" }, { sha256: "ab".repeat(32), path: "gone.md" }).text;
    await writeArchive(fake.engine, live.archives, 1, [{ callId: "toolu_aaaaaa01", text: folded }]);
    expect(pageOf(await recall(fake.engine, live, { handle: "call:aaaa01" }))).toBe(folded);
  });

  it("gives a result back that still stands in the conversation", async () => {
    fake.session.messages = [
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "toolu_aaaaaa03", text: "three, whole" }] },
    ];
    expect(pageOf(await recall(fake.engine, live, { handle: "call:aaaa03" }))).toBe("three, whole");
  });

  it("gives the original back where what still stands in the conversation is its fold", async () => {
    const kept = await live.shelf.keep({ output: LOG, tool: "Bash", command: "make" });
    const { text } = foldOutput(LOG, { tool: "Bash", command: "make" }, kept ?? { sha256: "", path: "" });
    fake.session.messages = [
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "toolu_aaaaaa03", text }] },
    ];
    expect(pageOf(await recall(fake.engine, live, { handle: "call:aaaa03", lines: [900, 900] }))).toBe(
      "plank 899 is sound",
    );
  });

  it("lists the calls of a stretch, a line each, with their own handles, whichever end is named first", async () => {
    const lines = "t1 Bash one 3 call:aaaa01\nt2 Read /p/two.ts 3 call:aaaa02";
    for (const handle of ["call:aaaa01..call:aaaa02", "call:aaaa02..call:aaaa01"])
      expect(pageOf(await recall(fake.engine, live, { handle }))).toBe(lines);
    expect(await recall(fake.engine, live, { handle: "call:aaaa01..call:aaaa03" })).toContain("call:aaaa03");
  });

  describe("of a stretch of ledger", () => {
    const STRETCH = renderSections([
      ["1i", '{"command":"make"}'],
      ["1", LOG],
      ["2i", '{"command":"touch"}'],
      ["3", "\n  words of the model\n"],
    ]);
    const keep = async (): Promise<string> => {
      const kept = await live.shelf.keep({ output: STRETCH, tool: "ledger", command: "" });
      return `plimsoll:${kept?.sha256.slice(0, 12)}`;
    };

    it("gives every page of a line's result back, word for word, and lines or matches of it", async () => {
      const handle = `${await keep()}#1`;
      const asked = cutPages(LOG).map((_, index) => recall(fake.engine, live, { handle, page: index + 1 }));
      const pages = await Promise.all(asked);
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.map(pageOf).join("")).toBe(LOG);
      expect(pages[1]).toContain(`[${handle}: page 2 of ${pages.length}, ${LOG.length} characters in all`);
      expect(pageOf(await recall(fake.engine, live, { handle, lines: [900, 900] }))).toBe("plank 899 is sound");
      expect(await recall(fake.engine, live, { handle, pattern: "plank 77 " })).toContain("78: plank 77 is sound");
    });

    it("gives what a line was called with, also where it is all there is", async () => {
      const handle = await keep();
      expect(pageOf(await recall(fake.engine, live, { handle: `${handle}#1i` }))).toBe('{"command":"make"}');
      expect(pageOf(await recall(fake.engine, live, { handle: `${handle}#2` }))).toBe('{"command":"touch"}');
      expect(pageOf(await recall(fake.engine, live, { handle: ` ${handle}#3\n` }))).toBe("\n  words of the model\n");
    });

    it("lists what is in it where no line is named", async () => {
      const lines = pageOf(await recall(fake.engine, live, { handle: await keep() })).split("\n");
      expect(lines.slice(1)).toEqual([
        `#1: ${LOG.length} characters`,
        "#3: 22 characters",
        "#1i: 18 characters",
        "#2i: 19 characters",
      ]);
    });

    it.each(["#4", "#3i", "#", "#1#1", "#../1", "#toString", "#__proto__"])(
      "keeps nothing under %s of it",
      async (line) => {
        expect(await recall(fake.engine, live, { handle: (await keep()) + line })).toMatch(NOTHING);
      },
    );

    it("finds one that was too long for a file in the session's archive", async () => {
      await writeArchive(fake.engine, live.archives, 1, [{ callId: "plimsoll:0123456789ab", text: STRETCH }]);
      expect(pageOf(await recall(fake.engine, live, { handle: "plimsoll:0123456789ab#3" }))).toContain("words of");
    });
  });

  it("gives no line of an ordinary result", async () => {
    const kept = await live.shelf.keep({ output: LOG, tool: "Bash", command: "" });
    expect(await recall(fake.engine, live, { handle: `plimsoll:${kept?.sha256}#1` })).toMatch(NOTHING);
  });

  it("pages a long stretch like any other text", async () => {
    let long = story();
    for (let index = 1000; index < 1600; index++)
      long = long.calls("Bash", { command: `measure plank ${index}` }, "ok", { callId: `toolu_plank${index}` });
    live.watch.events(long.events());
    const handle = "call:plank1000..call:plank1599";
    const first = await recall(fake.engine, live, { handle });
    const pages = Number(/page 1 of (\d+)/.exec(first)?.[1]);
    expect(pages).toBeGreaterThan(2);
    const asked = Array.from({ length: pages }, (_, index) => recall(fake.engine, live, { handle, page: index + 1 }));
    const told = await Promise.all(asked);
    expect(told.every((page) => page.length < PAGE_CHARACTERS + 200)).toBe(true);
    expect(told.map(pageOf).join("").split("\n")).toHaveLength(600);
    expect(pageOf(await recall(fake.engine, live, { handle, lines: [600, 600] }))).toContain("measure plank 1599");
    expect(pageOf(await recall(fake.engine, live, { handle, pattern: "plank 1300" }))).toContain("measure plank 1300");
  });

  it.each([
    "",
    "call:",
    "call:zzzzzz",
    "call:0",
    "plimsoll:000000000000",
    "plimsoll:../../../etc/passwd",
    "/etc/passwd",
    "call:aaaa01..call:zzzz",
  ])("says in words what to do where nothing is kept under %j", async (handle) => {
    fake.files.set("/etc/passwd", "root");
    const answer = await recall(fake.engine, live, { handle });
    expect(answer).toMatch(NOTHING);
    expect(answer).toContain("Handles look like plimsoll:");
  });

  it("does not guess which call is meant", async () => {
    expect(await recall(fake.engine, live, {})).toMatch(NOTHING);
    live.watch.events(story().calls("Bash", { command: "x" }, "x", { callId: "other_aaaa01" }).events());
    expect(await recall(fake.engine, live, { handle: "call:aaaa01" })).toMatch(NOTHING);
  });

  it("says so where the conversation cannot be asked for, and does not fail", async () => {
    const engine = {
      ...fake.engine,
      session: { ...fake.engine.session, messages: () => Promise.reject(new Error("busy")) },
    };
    expect(await recall(engine, live, { handle: "call:aaaa03" })).toMatch(NOTHING);
  });

  it("is a tool of one required field under the plugin's own name, listed from the first request on", () => {
    expect(nameRecallTool(fake.engine)).toBe("mcp__plimsoll__recall");
    expect(RECALL_SPEC.inputSchema.required).toEqual(["handle"]);
    expect(RECALL_SPEC.isDeferred).toBe(false);
  });
});
