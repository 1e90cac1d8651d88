/** If red: recall over MCP gives back nothing, too much, or text that was changed on the disk. */
import { appendFileSync, cpSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { bodyOf } from "../../../test/support/recalled.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  createWriter,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
} from "../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../core/json.ts";
import { sha256 } from "../../core/sha256.ts";
import { createArtifactStore } from "../../files/artifacts/artifacts.ts";
import { nameProjectFolder } from "../../hosts/claude-code/disk/projects.ts";
import { renderSections } from "../../layers/ledger/sections.ts";
import { renderArchived } from "../../survive/recall/archive-lines.ts";
import { callTool } from "./call-tool.ts";
import { findPlace } from "./place.ts";
import { createServerSession } from "./sessions.ts";

const temporary = createTemporaryFolder();
const SESSION = "5e5510a0-0000-4000-8000-000000000001";
let count = 0;

/** A project with a session in which something was folded, something compacted, and something is still open. */
function open(environment: JsonObject = {}) {
  const root = path.join(temporary.folder, String(++count));
  const project = path.join(root, "project");
  const folder = path.join(root, "home/.claude/projects", nameProjectFolder(project));
  for (const each of [project, folder]) mkdirSync(each, { recursive: true });
  const store = createArtifactStore(project, () => Date.UTC(2026, 0, 1), path.join(root, "home/.claude/data/plimsoll"));
  const original = `first plank\n${"caulked and tarred\n".repeat(900)}last plank`;
  const kept = store.keep({ output: original, tool: "Bash", command: "cat hull.log", sessionId: SESSION });
  if (!kept.ok) throw new Error("not kept");
  const { handle } = kept.value;
  const writer = createWriter({ sessionId: SESSION, cwd: project });
  writeFileSync(
    path.join(folder, `${SESSION}.jsonl`),
    toFile(
      writer(
        prompt("Mend the hull. Never use nails."),
        answer("m1", [toolUse("toolu_aaaaaa", "Bash", { command: "cat hull.log" })], {
          cache_creation_input_tokens: 90_000,
        }),
        toolResult("toolu_aaaaaa", `[FOLDED: Bash output — 902 lines, 17000 chars]\nFull output: x (${handle})`),
        answer("m2", [toolUse("toolu_bbbbbb", "Bash", { command: "ls spars" })]),
        toolResult("toolu_bbbbbb", "mast\nboom\n"),
        boundary("l5"),
        summary("The hull is being mended."),
        answer("m3", ["Oakum it is."], { cache_read_input_tokens: 20_000 }),
      ),
    ),
  );
  const env = {
    CLAUDE_CONFIG_DIR: path.join(root, "home/.claude"),
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_SESSION_ID: SESSION,
    ...environment,
  };
  const texts = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
  const session = createServerSession(findPlace(texts, project));
  const call = async (name: string, input: JsonObject = {}) => {
    const { blocks, isError } = await callTool(session, name, input);
    return { text: blocks.filter((block) => typeof block === "string").join("\n"), isError, blocks };
  };
  return { call, original, handle, root, project, folder, store };
}

describe("recall", () => {
  it("[R9] answers a caller with the report and what to do, and names the callers to a stranger", async () => {
    const { call } = open();
    const { text } = await call("health", { caller: "session-bridge" });
    expect(text).toContain("## Context Health");
    expect(text).toContain("recommendation for session-bridge, compaction-timing: ");
    expect((await call("health", { caller: "cuckoo" })).text).toContain("cook, team, rescue");
  });

  it("gives a folded original of 17 KB back byte for byte in one call", async () => {
    const { call, original, handle } = open();
    expect(await call("recall", { handle })).toMatchObject({
      isError: false,
      text: `[${handle}: ${original.length} characters]\n${original}\n[end]`,
    });
  });

  it("gives a picture back as one", async () => {
    const { call, store } = open();
    const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const kept = store.keep({ output: `data:image/png;base64,${data}`, tool: "Read", sessionId: SESSION });
    const { blocks } = await call("recall", { handle: kept.ok ? kept.value.handle : "" });
    expect(blocks).toEqual([
      expect.stringMatching(/^\[plimsoll:\w{12}: image\/png, 70 bytes\]$/),
      { mediaType: "image/png", data, bytes: 70 },
    ]);
  });

  it("gives a picture back that a call brought, out of the transcript", async () => {
    const { call, folder, project } = open();
    const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const writer = createWriter({ sessionId: SESSION, cwd: project });
    const [asked, called, came] = writer(
      prompt("Look."),
      answer("m1", [toolUse("toolu_cccccc", "Read", { file_path: "hull.png" })]),
      toolResult("toolu_cccccc", "PICTURE"),
    );
    const picture = [{ type: "image", source: { type: "base64", media_type: "image/png", data } }];
    const file = toFile([asked, called, came].flatMap((line) => (line ? [line] : [])));
    writeFileSync(path.join(folder, `${SESSION}.jsonl`), file.replace('"PICTURE"', JSON.stringify(picture)));
    expect((await call("recall", { handle: "call:cccccc" })).blocks).toEqual([
      "[call:cccccc: image/png, 70 bytes]",
      { mediaType: "image/png", data, bytes: 70 },
    ]);
  });

  it("finds what a project that cannot be written left in the data folder, and lists it for its own sessions", async () => {
    const { call, root } = open();
    mkdirSync(path.join(root, "elsewhere"));
    const elsewhere = createArtifactStore(path.join(root, "elsewhere"), () => 0);
    const mine = elsewhere.keep({ output: "spare planks", tool: "Bash", sessionId: SESSION });
    const foreign = elsewhere.keep({ output: "another project's", tool: "Bash", sessionId: "another" });
    const data = path.join(root, "home/.claude/data/plimsoll");
    cpSync(path.join(root, "elsewhere/.plimsoll/artifacts"), path.join(data, "artifacts"), { recursive: true });
    const handle = mine.ok ? mine.value.handle : "";
    expect(bodyOf((await call("recall", { handle })).text)).toBe("spare planks");
    expect((await call("list")).text).toContain(handle);
    expect((await call("list")).text).not.toContain(foreign.ok ? foreign.value.handle : "");
  });

  it("finds a segment of ledger that lies in pieces in the archive of another session of the project, once this one quotes it", async () => {
    const { call, root, folder } = open();
    const text = renderSections([
      ["1i", '{"command":"make"}'],
      ["1", "planks ".repeat(60_000)],
    ]);
    const handle = `plimsoll:${sha256(text).slice(0, 12)}`;
    writeFileSync(path.join(folder, "earlier.jsonl"), toFile(createWriter()(prompt("Earlier."))));
    const own = path.join(folder, `${SESSION}.jsonl`);
    const quote = (): void =>
      appendFileSync(
        own,
        toFile(createWriter({ sessionId: SESSION })({ ...prompt(`Continue from ${handle}.`), uuid: "quote" })),
      );
    const archive = path.join(root, "home/.claude/data/plimsoll/sessions/earlier");
    mkdirSync(archive, { recursive: true });
    // As older archives have it, in parts.
    const cuts = [0, 200_000, 400_000].map((from) => text.slice(from, from + 200_000));
    for (const [part, cut] of cuts.entries())
      writeFileSync(path.join(archive, `archive-7-${part + 1}.jsonl`), renderArchived({ callId: handle, text: cut }));
    expect(await call("recall", { handle: `${handle}#1i` })).toMatchObject({ isError: true });
    quote();
    for (const name of [`${handle}#1i`, `${handle.slice(0, 15)}#1i`, `plimsoll:${sha256(text)}#1i`])
      expect(bodyOf((await call("recall", { handle: name })).text)).toBe('{"command":"make"}');
    writeFileSync(path.join(archive, "archive-7-2.jsonl"), "");
    expect(await call("recall", { handle: `${handle}#1i` })).toMatchObject({ isError: true });
  });

  it("finds a folded result by its call, and one that a compaction took out of the window", async () => {
    const { call, original } = open();
    expect(bodyOf((await call("recall", { handle: "call:aaaaaa" })).text)).toBe(original);
    expect(bodyOf((await call("recall", { handle: "call:bbbbbb" })).text)).toBe("mast\nboom\n");
  });

  it("takes lines and patterns", async () => {
    const { call, handle } = open();
    expect(bodyOf((await call("recall", { handle, lines: [1, 2] })).text)).toBe("first plank\ncaulked and tarred");
    expect((await call("recall", { handle, pattern: "last" })).text).toContain("902: last plank");
  });

  it.each([
    "../../../../etc/passwd",
    "/etc/passwd",
    "artifact-1.md",
    "plimsoll:../x",
    "plimsoll:zz",
    "%2e%2e/a",
    "call:..",
    "call:toolu_../x",
  ])("reads no file for %j", async (handle) => {
    const { call } = open();
    expect(await call("recall", { handle })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Nothing is kept under/),
    });
  });

  it("gives back nothing that was changed on the disk, and says so", async () => {
    const { call, handle, project } = open();
    const digits = handle.slice("plimsoll:".length);
    const objects = path.join(project, ".plimsoll/artifacts/objects", digits.slice(0, 2));
    const [name = ""] = readdirSync(objects);
    writeFileSync(path.join(objects, name), "another text");
    expect(await call("recall", { handle })).toMatchObject({
      isError: true,
      text: expect.stringContaining("have changed since they were stored"),
    });
  });

  it("pages an original of 5 MB in a page's size", async () => {
    const { call, store } = open();
    const kept = store.keep({ output: "x".repeat(79).concat("\n").repeat(65_536), tool: "Bash", sessionId: SESSION });
    if (!kept.ok) throw new Error("not kept");
    const { text } = await call("recall", { handle: kept.value.handle, page: 100 });
    expect(text.length).toBeLessThan(50_000);
    expect(text).toMatch(/characters \d+ to \d+ of 5242880\]\n[\s\S]*\n\[page 100 of \d+; page 101 continues/);
    expect(await call("recall", { handle: kept.value.handle, page: 9000 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^There is no page 9000: there are \d+ pages\.$/),
    });
  });
});

describe("the other tools", () => {
  it("search originals and messages, and name what to recall", async () => {
    const { call, handle } = open();
    expect((await call("search", { query: "last plank" })).text).toContain(`${handle} line 902: last plank`);
    const boom = (await call("search", { query: "boom|nails" })).text;
    expect(boom).toContain("call:bbbbbb line 2: boom");
    expect(boom).toContain("request 0 person: Mend the hull. Never use nails.");
    expect((await call("search", { query: "keelson" })).text).toContain("Nothing");
    expect((await call("search", {})).text).toContain("Pass a query");
  });

  it("find no line again in the answer to an earlier search", async () => {
    const { call, folder } = open();
    const line = createWriter({ sessionId: SESSION })(
      { ...answer("m4", [toolUse("toolu_cccccc", "mcp__plimsoll__search", { query: "boom" })]), uuid: "s1" },
      { ...toolResult("toolu_cccccc", "call:bbbbbb line 2: boom"), uuid: "s2", parentUuid: "s1" },
      { ...answer("m5", ["There is one boom."]), uuid: "s3", parentUuid: "s2" },
    );
    appendFileSync(path.join(folder, `${SESSION}.jsonl`), toFile(line));
    expect((await call("search", { query: "boom" })).text).toMatch(
      /^\[2 lines match[^\n]*\n(?:call:bbbbbb line 2: boom\n|request \d model: There is one boom\.\n){2}\[end\]$/,
    );
  });

  it("list what this session folded and nothing of another's", async () => {
    const { call, handle, store } = open();
    store.keep({ output: "somebody else's", tool: "Bash", sessionId: "another" });
    const { text } = await call("list");
    expect(text).toContain(`${handle} `);
    expect(text).toContain("[1 originals");
  });

  it("tell the state and the load, in a page at most", async () => {
    const { call } = open();
    const state = (await call("state")).text;
    expect(state).toMatch(/^\d+ requests?, 1 compaction\n/);
    expect(state).toContain("Next: ");
    expect((await call("health")).text).toMatch(/^GREEN: 20\.0k of 200k · 12 % of the load line at 167k/);
  });

  it("tell of a long session the newest in a page, with how much is left out, and names that recall takes", async () => {
    const { call, folder, project } = open();
    const changes = Array.from({ length: 300 }, (_, index) => index).flatMap((index) => [
      answer(`e${index}`, [
        toolUse(`toolu_e${index}`, "Write", { file_path: `${project}/planks/${index}.ts`, content: "x" }),
      ]),
      toolResult(`toolu_e${index}`, "File created successfully"),
    ]);
    const failed = [
      answer("f1", [toolUse("toolu_ffffff", "Bash", { command: "caulk seams" })]),
      toolResult("toolu_ffffff", "error: no oakum left", { is_error: true }),
    ];
    const lines = createWriter({ sessionId: SESSION, cwd: project })(prompt("Mend the hull."), ...changes, ...failed);
    writeFileSync(path.join(folder, `${SESSION}.jsonl`), toFile(lines));
    const { text } = await call("state");
    expect(text.length).toBeLessThan(7000);
    expect(text).toContain("planks/299.ts: created");
    expect(text).toMatch(/\n… \d+ more/);
    const [, handle = ""] = /caulk seams → .* \((call:\w+)\)/.exec(text) ?? [];
    expect((await call("recall", { handle })).text).toContain("no oakum left");
  });

  it("[R121] give a packet for a task: what was demanded, below 300 tokens, and nothing that nobody said", async () => {
    const { call } = open();
    const { text, isError } = await call("state", { task: "Check every seam" });
    expect(isError).toBe(false);
    expect(text).toMatch(/^## Context Packet\n\n\*\*Task\*\*: Check every seam\n/);
    expect(text).toContain("- Never use nails.");
    const tokens = Number(/\nThe packet has at most (\d+) tokens\.$/.exec(text)?.[1]);
    expect(tokens).toBeGreaterThan(50);
    expect(tokens).toBeLessThan(300);
    expect((await call("state")).text).not.toContain("## Context Packet");
    const unknown = open({ CLAUDE_CODE_SESSION_ID: "not-there" });
    expect((await unknown.call("state", { task: "Check" })).text).toBe(
      "Nothing has been recorded for this session yet.",
    );
  });

  it("[R35] [R87] report the health in the form that other programs read, with the budget where the start takes too much", async () => {
    const { call } = open();
    const lines = (await call("health")).text.split("\n");
    const report = lines.slice(lines.indexOf("## Context Health"));
    for (const field of ["Utilization", "Tool Calls", "Status", "Recommendation"])
      expect(report.some((line) => line.startsWith(`- **${field}**: `))).toBe(true);
    expect(report.find((line) => line.startsWith("- **Recommendation**"))).toMatch(
      /: (?:continue|load-essential-only|compact-at-boundary|compact-immediately)$/,
    );
    expect(report).toContain("### Context Budget");
    expect(report.find((line) => line.startsWith("- **Baseline cost**"))).toMatch(/~90k tokens \(45(?:\.0)?% of/);
  });

  it("say so where nothing is recorded yet, and where a tool is none", async () => {
    const { call } = open({ CLAUDE_CODE_SESSION_ID: "not-there" });
    expect((await call("state")).text).toBe("Nothing has been recorded for this session yet.");
    expect((await call("health")).isError).toBe(false);
    expect(await call("sink")).toMatchObject({ isError: true, text: expect.stringContaining("recall, search") });
  });

  it("take the newest session where the client names none, and follow no link out of the project", async () => {
    const { call, folder } = open({ CLAUDE_CODE_SESSION_ID: "" });
    expect((await call("state")).text).toContain("1 compaction\n");
    const later = path.join(folder, "5e5510a0-0000-4000-8000-000000000002.jsonl");
    writeFileSync(later, toFile(createWriter()(prompt("Scrape the keel."))));
    utimesSync(later, new Date("2037-01-01"), new Date("2037-01-01"));
    expect((await call("state")).text).toContain("0 compactions\n");
    const linked = open({ CLAUDE_CODE_SESSION_ID: "linked" });
    writeFileSync(path.join(linked.root, "secret.jsonl"), toFile(createWriter()(prompt("a secret"))));
    symlinkSync(path.join(linked.root, "secret.jsonl"), path.join(linked.folder, "linked.jsonl"));
    expect((await linked.call("search", { query: "secret" })).text).toContain("Nothing");
  });
});
