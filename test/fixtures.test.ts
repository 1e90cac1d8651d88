/** If red: recordings of the real clients are misread: lines, calls or results are lost. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Arrival, Compaction, Output } from "../src/core/event.ts";
import { renderResultText, type ToolCallBlock } from "../src/core/message.ts";
import { sumContextTokens } from "../src/core/usage.ts";
import { readMeter, readRecording } from "../src/hosts/claude-code/disk/read-meter.ts";
import { scanUsage } from "../src/hosts/claude-code/disk/scan-usage.ts";
import { countPlainly } from "./corpus/count-plainly.ts";

const FIXTURES = path.join(import.meta.dirname, "fixtures", "claude-code");
const VERSIONS = readdirSync(FIXTURES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const TRANSCRIPTS = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".jsonl"),
);

/** A recording through all three readers. */
function open(name: string) {
  const file = path.join(FIXTURES, name);
  const session = readRecording(file);
  const events = session.entries.flatMap((entry) => entry.events);
  return {
    ...session,
    file,
    arrivals: events.filter((event): event is Arrival => event.kind === "arrival"),
    outputs: events.filter((event): event is Output => event.kind === "output"),
    compactions: events.filter((event): event is Compaction => event.kind === "compaction"),
    metered: readMeter(file).transcript,
    scan: scanUsage(file),
  };
}

type Opened = ReturnType<typeof open>;

const listCalls = ({ outputs }: Opened): readonly ToolCallBlock[] =>
  outputs.flatMap(({ blocks }) => blocks).filter((block) => block.kind === "toolCall");

const listResults = ({ arrivals }: Opened) =>
  arrivals.flatMap(({ block, label, detail }) => (block.kind === "toolResult" ? [{ block, label, detail }] : []));

describe.each(TRANSCRIPTS)("the recording %s", (name) => {
  const opened = open(name);
  const isCutByHand = path.basename(name) === "interrupted.jsonl";

  it("holds no line that is malformed or of a type that nobody knows, but for one that is cut by hand", () => {
    expect(opened.tally).toMatchObject({ malformed: 0, unknown: 0 });
    expect(opened.unfinishedBytes > 0).toBe(isCutByHand);
  });

  it("loses no line", () => {
    const { parsed, ignored } = opened.tally;
    expect(parsed + ignored + (isCutByHand ? 1 : 0)).toBe(countPlainly(opened.file).lines);
  });

  it("comes to the same requests in every reader", () => {
    const plain = [...countPlainly(opened.file).outputTokens];
    expect(opened.scan.steps.map(({ stepId, usage }) => [stepId, usage.outputTokens])).toEqual(plain);
    expect(opened.recording.steps.map(({ id, usage }) => [id, usage?.outputTokens])).toEqual(plain);
    expect(opened.metered.meter.steps).toBe(plain.length);
  });

  it("counts every call once, in every reader", () => {
    const calls = new Set(listCalls(opened).map(({ callId }) => callId)).size;
    expect(listCalls(opened)).toHaveLength(calls);
    expect(opened.scan.toolCalls).toBe(calls);
    expect(opened.metered.meter.toolCalls).toBe(calls);
  });

  it("tells for every result which tool it came from", () => {
    const tools = new Map(listCalls(opened).map(({ callId, tool }) => [callId, tool]));
    for (const { block, label } of listResults(opened)) expect(label).toBe(tools.get(block.callId));
  });

  it("keeps the whole conversation on the main chain: nobody rewound anything", () => {
    const reported = opened.outputs.map(({ stepId }) => stepId);
    expect(opened.recording.steps.map(({ id }) => id)).toEqual([...new Set(reported)]);
    expect(opened.recording.windows).toHaveLength(opened.compactions.length + 1);
  });
});

describe.each(VERSIONS)("what client %s records", (version) => {
  const openRecording = (name: string): Opened => open(path.join(version, `${name}.jsonl`));

  it("[R130] becomes a compaction at the boundary marker, and the usage before it no longer counts", () => {
    const opened = openRecording("compact-auto");
    const [before, full] = opened.scan.steps.map(({ usage }) => sumContextTokens(usage));
    expect([before, full]).toEqual([152_003, 170_003]);
    expect(opened.compactions).toMatchObject([{ trigger: "auto", durationMs: expect.any(Number) }]);
    const [boundary] = opened.compactions;
    expect(boundary?.preTokens).toBeGreaterThan(170_000);
    expect(boundary?.postTokens).toBeLessThan(5_000);
    const { meter } = opened.metered;
    expect(meter).toMatchObject({ compactions: 1, autoPreTokens: [boundary?.preTokens], largestContextTokens: full });
    expect(meter.current && sumContextTokens(meter.current.usage)).toBeLessThan(40_000);
  });

  it("keeps the newest calls word for word across an automatic compaction", () => {
    const { recording } = openRecording("compact-auto");
    const kept = recording.windows[1]?.kept ?? [];
    const blocks = kept.flatMap((event) => (event.kind === "output" ? event.blocks : [event.block]));
    const callIds = blocks.flatMap((block) => ("callId" in block ? [`${block.kind} ${block.callId}`] : []));
    expect(callIds).toEqual(["toolCall toolu_main_1_0", "toolResult toolu_main_1_0"]);
    expect(recording.steps.map(({ window }) => window)).toEqual([0, 0, 1, 1]);
  });

  it.each([
    { name: "compact-manual", trigger: "manual", windows: [0, 0, 1] },
    { name: "compact-reactive", trigger: "auto", windows: [0, 0, 1] },
  ])("opens a window with the summary after $name", ({ name, trigger, windows }) => {
    const { compactions, recording } = openRecording(name);
    expect(compactions).toMatchObject([{ trigger }]);
    expect(compactions[0]?.preserved.length).toBeGreaterThan(0);
    expect(recording.steps.map(({ window }) => window)).toEqual(windows);
    expect(recording.steps[2]?.arrivals.map(({ source }) => source)).toContain("summary");
  });

  it("tells subagents' own files from the main session's", () => {
    const folder = path.join(version, "subagents", "subagents");
    const agents = readdirSync(path.join(FIXTURES, folder)).filter((name) => name.endsWith(".jsonl"));
    const main = openRecording("subagents");
    expect(main.metered.lane).toBe("main");
    expect(agents).toHaveLength(2);
    for (const name of agents) {
      const { metered, entries, scan } = open(path.join(folder, name));
      expect(metered).toMatchObject({ lane: "side", sessionId: main.metered.sessionId });
      expect(metered.meter.steps).toBeGreaterThan(0);
      expect(scan.steps.every(({ isSidechain }) => isSidechain)).toBe(true);
      const agentIds = entries.flatMap(({ uuid, agentId }) => (uuid === "" ? [] : [agentId]));
      expect(new Set(agentIds)).toEqual(new Set([path.basename(name, ".jsonl").replace("agent-", "")]));
    }
  });

  it("[R175] ties the result of each TaskCreate to its call, with the task's number", () => {
    const opened = openRecording("tasks");
    const created = listResults(opened).filter(({ label }) => label === "TaskCreate");
    const calls = new Map(listCalls(opened).map((call) => [call.callId, call]));
    expect(
      created.map(({ block, detail }) => {
        return [calls.get(block.callId)?.input.subject, renderResultText(block), readTaskId(detail)];
      }),
    ).toEqual([
      ["Caulk the hull", "Task #1 created successfully: Caulk the hull", "1"],
      ["Paint the line", "Task #2 created successfully: Paint the line", "2"],
    ]);
  });

  it("holds three parallel calls in one request and their results in the next", () => {
    const [first, second] = openRecording("parallel").recording.steps;
    const calls = first?.outputs.flatMap((block) => (block.kind === "toolCall" ? [block.callId] : []));
    const results = second?.arrivals.flatMap(({ block }) => (block.kind === "toolResult" ? [block.callId] : []));
    expect(calls).toHaveLength(3);
    expect(results?.toSorted()).toEqual(calls?.toSorted());
  });

  it("shows the preview of a large output, and where the whole is kept", () => {
    const [result] = listResults(openRecording("big-output"));
    expect(result?.block && renderResultText(result.block)).toMatch(/^<persisted-output>\nOutput too large/);
    const kept = path.basename(String(result?.detail?.persistedOutputPath));
    expect(existsSync(path.join(FIXTURES, version, "big-output", "tool-results", kept))).toBe(true);
  });

  it("holds images as images", () => {
    const parts = listResults(openRecording("images")).flatMap(({ block }) => block.parts);
    expect(parts).toMatchObject([{ kind: "image", mediaType: "image/png" }]);
    expect(parts[0]?.kind === "image" && parts[0].encodedLength).toBeGreaterThan(100);
  });

  it("marks failed results, and bills nothing for the API error at the end", () => {
    const opened = openRecording("errors");
    expect(listResults(opened).map(({ block, label, detail }) => [label, block.isError, detail])).toEqual([
      ["Bash", true, undefined],
      ["Read", true, undefined],
    ]);
    expect(opened.entries.filter(({ isSynthetic }) => isSynthetic)).toHaveLength(1);
    expect(opened.scan.steps.map(({ stepId }) => stepId)).toEqual(["msg_main_1", "msg_main_2", "msg_main_3"]);
    expect(opened.recording.waiting.map(({ block }) => block)).toContainEqual(
      expect.objectContaining({ text: "And again.", author: "person" }),
    );
  });

  it("leaves the last answer standing when a run was cut off in the middle", () => {
    const { metered, recording } = openRecording("interrupted");
    expect(metered.meter.current?.id).toBe("msg_main_0");
    expect(recording.waiting.map(({ label }) => label)).toContain("Bash");
  });

  it("is one conversation over all runs of a resumed session", () => {
    const { recording } = openRecording("resume");
    const prompts = recording.steps.flatMap(({ arrivals }) => arrivals.filter(({ source }) => source === "prompt"));
    expect(prompts).toHaveLength(3);
    expect(recording.windows).toHaveLength(1);
  });

  it("names the cause when another model had to read everything anew", () => {
    const { scan, metered } = openRecording("model-switch");
    expect(new Set(scan.steps.map(({ model }) => model))).toEqual(new Set(["claude-sonnet-4-6", "claude-opus-5-5"]));
    expect(scan.misses).toMatchObject([{ cause: "modelSwitch" }]);
    expect(metered.meter.misses).toEqual(scan.misses);
  });

  it("keeps signed thinking apart from text", () => {
    const thinking = openRecording("thinking").outputs.flatMap(({ blocks }) =>
      blocks.filter((block) => block.kind === "thinking"),
    );
    expect(thinking.length).toBeGreaterThan(1);
    for (const block of thinking) expect(block.signature).not.toBe("");
  });

  it("holds what hooks added to the conversation, once", () => {
    const hooked = openRecording("hooks").arrivals.filter(({ label }) => label.startsWith("hook_"));
    expect(hooked.map(({ label }) => label).toSorted()).toEqual([
      "hook_additional_context",
      "hook_success",
      "hook_success",
    ]);
    for (const { block } of hooked) expect(block).toMatchObject({ kind: "text", author: "host" });
  });
});

it("knows the lines that client 2.1.197 wrote twice", () => {
  const { tally, metered, file } = open(path.join("2.1.197", "compact-auto.jsonl"));
  expect(tally.repeated).toBe(countPlainly(file).repeated);
  expect(metered.meter).toMatchObject({ toolCalls: 3, steps: 4 });
});

function readTaskId(detail: Arrival["detail"]): unknown {
  const task = detail?.task;
  return typeof task === "object" && task !== null && "id" in task ? task.id : undefined;
}
