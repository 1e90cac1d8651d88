/** If red: in OpenCode a full request is sent whole, or a folded result cannot be fetched back. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { locateData } from "../../policy/actions/data-paths.ts";
import { openHooks } from "./server.ts";

const temporary = createTemporaryFolder();
const { folder } = temporary;
const project = path.join(folder, "project");
mkdirSync(project);
const WORDS = "the hull is sound and the planks are dry and the mast stands. ";
const LIMIT = { id: "claude-sonnet-4-6", limit: { context: 60_000, output: 8_000 } };

function open() {
  return openHooks(project, path.join(folder, "config"));
}

const info = (id: string, role: string, more: object = {}): object => ({ id, role, sessionID: "ses_1", ...more });

/** A session of so many steps, each of about 2,000 tokens, whose last answer came so many minutes ago. */
function conversation(steps: number, minutesAgo = 0): unknown[] {
  const nowMs = Date.now();
  const atMs = nowMs - minutesAgo * 60_000;
  const model = { providerID: "scripted", modelID: LIMIT.id };
  const answers = Array.from({ length: steps }, (_, step) => {
    const state = { status: "completed", input: { command: `measure ${step}` }, output: WORDS.repeat(60), time: {} };
    const parts = [
      { type: "text", text: `Row ${step}.` },
      { type: "tool", callID: `c${step}`, tool: "bash", state },
    ];
    const tokens = { input: 10, output: 50, cache: { read: 5_000 + step * 900, write: 900 } };
    const more = { modelID: LIMIT.id, tokens, time: { created: atMs, completed: atMs } };
    return { info: info(`m${step}`, "assistant", more), parts };
  });
  const asked = [{ type: "text", text: "Paint it. Never touch the anchor chain." }];
  return [{ info: info("m", "user", { model }), parts: asked }, ...answers];
}

async function transform(hooks: ReturnType<typeof open>, messages: unknown[], model = LIMIT): Promise<string> {
  await hooks["chat.params"]?.({ model }, {});
  await hooks["experimental.chat.messages.transform"]?.({}, { messages });
  return JSON.stringify(messages);
}

describe("the plugin of OpenCode 1", () => {
  it("leaves a request as it is where there is nothing to take out", async () => {
    const messages = conversation(2);
    const before = [...messages];
    await transform(open(), messages);
    expect(messages.every((message, index) => message === before[index])).toBe(true);
  });

  it("makes a full one lighter, and the next ones the same, in another process too", async () => {
    const hooks = open();
    const first = await transform(hooks, conversation(44));
    expect(first).toContain("[LEDGER: ");
    expect(first).toContain("Never touch the anchor chain.");
    expect(first).toContain("Row 43.");
    for (const later of [hooks, open()]) {
      const next = await transform(later, conversation(45));
      expect(next.slice(0, 2_000)).toBe(first.slice(0, 2_000));
    }
  });

  it("makes a full one lighter also where the person's own line is above what the model holds", async () => {
    const config = path.join(folder, "high-line");
    mkdirSync(config, { recursive: true });
    writeFileSync(path.join(config, "plimsoll.json"), JSON.stringify({ line: "900k", early: "off" }));
    const [asked, ...answers] = conversation(53);
    const sent = await transform(openHooks(project, config), [asked, ...answers.slice(-12)]);
    expect(sent.includes("[LEDGER: ")).toBe(true);
  });

  it.each([
    [100_000, false],
    [80_000, true],
  ])(
    "takes at most 32k tokens of a window of %i off for the answer, however long answers may be: lighter %s",
    async (context, isLighter) => {
      const config = temporary.name("-cap");
      mkdirSync(config, { recursive: true });
      writeFileSync(path.join(config, "plimsoll.json"), JSON.stringify({ early: "off" }));
      const sent = await transform(openHooks(project, config), conversation(53), {
        id: LIMIT.id,
        limit: { context, output: 64_000 },
      });
      expect(sent.includes("[LEDGER: ")).toBe(isLighter);
    },
  );

  it("leaves a full one as it is where nothing can be stored", async () => {
    const [closed, config] = [path.join(folder, "closed"), path.join(folder, "closed-config")];
    for (const file of [path.join(closed, ".plimsoll"), path.join(locateData(config), "artifacts")]) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, "not a folder");
    }
    const messages = conversation(44);
    const before = JSON.stringify(messages);
    expect(await transform(openHooks(closed, config), messages)).toBe(before);
  });

  it("says once what coming back costs after an hour, when the person asks, and what becomes of the prompt", async () => {
    const said: string[] = [];
    const hooks = openHooks(project, path.join(folder, "fresh"), (message) => said.push(message));
    const asked = {
      info: info("next", "user", { model: { modelID: LIMIT.id } }),
      parts: [{ type: "text", text: "Go on." }],
    };
    await transform(hooks, [...conversation(20, 59), asked]);
    await transform(hooks, [...conversation(20, 61), asked]);
    expect(said).toEqual([]);
    await transform(hooks, [...conversation(53, 61), asked]);
    expect(said).toEqual([
      expect.stringMatching(
        /^5\d\.\dk tokens are no longer cached: going on costs about \$0\.\d+, compacted first \$0\.\d+ · this prompt compacts first$/,
      ),
    ]);
    const [, whole, compacted] = said[0]?.match(/about \$([\d.]+), compacted first \$([\d.]+)/) ?? [];
    expect(Number(compacted)).toBeLessThan(Number(whole) / 2);
    await transform(hooks, conversation(53, 61));
    expect(said.length).toBe(1);
  });

  it("switches OpenCode's own compaction off, unless the person wants it", async () => {
    const config = {};
    await open().config?.(config);
    expect(config).toEqual({ compaction: { auto: false, prune: false } });
    const wanted = { compaction: { auto: true } };
    await open().config?.(wanted);
    expect(wanted).toEqual({ compaction: { auto: true, prune: false } });
  });

  it("folds a large result and gives it back by its handle, also to a model that fills every field in", async () => {
    const hooks = open();
    const output = { output: Array.from({ length: 900 }, (_, line) => `line ${line}: all quiet here`).join("\n") };
    const executed = { tool: "bash", sessionID: "ses_1", callID: "c1", args: { command: "cat log" } };
    await hooks["tool.execute.after"]?.(executed, output);
    expect(output.output).toMatch(/^\[FOLDED: /);
    const recalled = { output: output.output.replace(/^/, "line of the original\n".repeat(900)) };
    await hooks["tool.execute.after"]?.({ ...executed, tool: "plimsoll_recall", callID: "c2", args: {} }, recalled);
    expect(recalled.output.startsWith("line of the original\n")).toBe(true);
    const [handle = "none"] = output.output.match(/plimsoll:[0-9a-f]{12}/) ?? [];
    const input = { handle, page: 1, lines: [], pattern: "line 440:" };
    const given = await hooks.tool?.plimsoll_recall?.execute(input, { sessionID: "ses_1" });
    expect(given).toContain("line 440: all quiet here");
  });
});
