/** If red: a documented setting does nothing, or changes something else. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { handleEvent, openEngine } from "../../src/entry/engine/events.ts";
import { runEvent } from "../../src/entry/hook/frame.ts";
import { drawStatusText } from "../../src/entry/hook/status/draw-status.ts";
import { locateDeferral } from "../../src/hosts/claude-code/disk/deferral.ts";
import { listUnheeded, parseSettings, type Settings } from "../../src/policy/settings/settings.ts";
import { createFakeClient } from "../support/fake-client.ts";
import { createHookStage } from "../support/hook-stage.ts";
import { raiseCall } from "../support/raise-call.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { answer, prompt, toolResult, toolUse } from "../support/transcript-lines.ts";

interface Case {
  readonly set: JsonObject;
  readonly additional?: JsonObject;
  readonly tokensPerStep?: number;
}

/** Every setting as a person writes it: what must change something that can be seen, next to what else is set. */
const CASES = {
  compaction: { set: { compaction: "assisted" } },
  hasNote: { set: { note: true } },
  policy: { set: { policy: "cautious" } },
  early: { set: { early: "remind" } },
  afterBreak: { set: { afterBreak: "compact" } },
  // Below half of the line, where a moment may be waited for.
  moments: { set: { moments: "turns" }, tokensPerStep: 1_000 },
  objective: { set: { objective: "tokens" } },
  lineTokens: { set: { line: 90_000 }, additional: { early: "off" } },
  isFolding: { set: { fold: false } },
  combinesOutputs: { set: { combine: true } },
  preview: { set: { preview: "classic" } },
  profile: { set: { profile: "calls" } },
  density: { set: { density: "auto" } },
  mayAsk: { set: { mayAsk: false } },
  hasAdvisories: { set: { advisories: false } },
  blocksAtRed: { set: { blockAtRed: true } },
  remindsEachPrompt: { set: { remindEachPrompt: true } },
  guardsIgnored: { set: { guard: false } },
  sendsPackets: { set: { packets: true } },
  base: { set: { base: "keep" } },
  stateFiles: { set: { stateFiles: false } },
  statusLine: { set: { statusLine: ["load", "model"] } },
  isOn: { set: { on: false } },
} as const satisfies Record<keyof Settings, Case>;
const NAMES = Object.keys(CASES).filter((name): name is keyof Settings => name in CASES);

const DEMAND = "Build the deck. You must not touch the bell.";
const SEARCHED = "deck/plank.log: dry and sound\n".repeat(100);
/** Lines that are not alike. */
const LONG = Array.from({ length: 700 }, (_, index) =>
  [...String((index + 1) * 7_919_317)]
    .map((digit) => "hull seam deck mast sail keel oar bow aft rib".split(" ")[Number(digit)])
    .join(" "),
).join("\n");
/** What each call brings, in both entry points. */
const OUTPUTS = [...Array(6).fill(SEARCHED), LONG, ...Array(20).fill(SEARCHED)];
const FIRST_TOKENS = 30_000;
const TOKENS_PER_STEP = 6_000;

/** A session in the module, from its start to a compaction: everything that the engine was told and the person saw. */
async function playModule(settings: JsonObject, tokensPerStep = TOKENS_PER_STEP): Promise<string> {
  const fake = createFakeClient();
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify(settings));
  const deferral = { format: 1, tools: [{ name: "Workflow", tokens: 1000 }], returned: [] };
  fake.files.set(locateDeferral(fake.machine.env, fake.session.root), JSON.stringify(deferral));
  const engine = openEngine(fake.machine);
  const seen: unknown[] = [];
  const raise = async (event: string, e: JsonObject = {}): Promise<unknown> => {
    const answered = await handleEvent(engine, fake.client, event, e, async (given) => ({ given }));
    seen.push(answered);
    const { env, appended, logs, statuses, forks } = fake;
    seen.push([
      forks.length,
      env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW"),
      appended.at(-1),
      logs.length,
      statuses.at(-1),
    ]);
    return answered;
  };
  const call = (e: JsonObject): Promise<unknown> => raiseCall(raise, e, () => ({ given: e }));
  const append = (entryPoint: string, uuid: string, content: readonly JsonObject[]): Promise<unknown> =>
    raise("session.append", {
      door: entryPoint,
      uuid,
      origin: { kind: "tool", tool: "Bash" },
      message: { type: entryPoint === "response" ? "assistant" : "user", content },
    });
  await raise("session.start");
  await append("prompt", "p1", [{ type: "text", text: DEMAND }]);
  for (const [step, output] of OUTPUTS.entries()) {
    const input = { command: `grep -rn ${step} deck` };
    await append("response", `r${step}`, [{ type: "tool_use", id: `c${step}`, name: "Bash", input }]);
    fake.session.usedTokens = FIRST_TOKENS + step * tokensPerStep;
    await call({ tool: "Bash", tool_use_id: `c${step}`, ...input });
    await append("tool-result", `t${step}`, [{ type: "tool_result", tool_use_id: `c${step}`, content: output }]);
    await raise("classic.PostToolBatch");
  }
  await call({ tool: "Read", tool_use_id: "ignored", file_path: `${fake.session.root}/node_modules/a.js` });
  await call({ tool: "Agent", tool_use_id: "agent", description: "Check", prompt: "Check it." });
  await raise("session.measure");
  await append("prompt", "p2", [{ type: "text", text: "Go on." }]);
  for (const args of ["", "break"]) await raise("command.run", { command: "plimsoll", args });
  await raise("tool.call", { tool: "mcp__plimsoll__recall", handle: "done" });
  await raise("session.compact", { trigger: "manual" });
  // The module knows one session at a time.
  await raise("session.end");
  seen.push(
    [...fake.files.keys()]
      .filter((file) => isStateFile(file))
      .map((file) => path.relative(fake.home, file))
      .sort(),
  );
  return JSON.stringify(seen).replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z?/g, "TIME");
}

function isStateFile(file: string): boolean {
  return /\.plimsoll\/[a-z-]+\.(?:md|jsonl)$/.test(file);
}

const temporary = createTemporaryFolder();

/** The same with command hooks: everything that they answer. */
async function playHooks(settings: JsonObject): Promise<string> {
  const stage = createHookStage(temporary.name("-stage"));
  const home = path.join(path.dirname(stage.project), "home");
  writeFileSync(path.join(home, ".claude/plimsoll.json"), JSON.stringify(settings));
  const seen: unknown[] = [];
  const env = {
    HOME: home,
    CLAUDE_PROJECT_DIR: stage.project,
    CLAUDE_PLUGIN_ROOT: path.resolve(import.meta.dirname, "../.."),
  };
  const fire = async (event: string, raw: JsonObject = {}): Promise<void> => {
    const reported = { session_id: "session-1", transcript_path: stage.transcript, cwd: stage.project, ...raw };
    const { text, actions } = await runEvent(event, JSON.stringify(reported), env);
    expect(actions.filter(({ kind }) => kind === "failed")).toEqual([]);
    seen.push([event, text]);
  };
  await fire("SessionStart", { source: "startup" });
  stage.write(prompt(DEMAND));
  await fire("UserPromptSubmit", { prompt: DEMAND });
  for (const [step, output] of OUTPUTS.entries()) {
    const input = { command: `grep -rn ${step} deck` };
    const call = { tool_name: "Bash", tool_use_id: `c${step}`, tool_input: input };
    stage.write(
      answer(`m${step}`, [toolUse(`c${step}`, "Bash", input)], {
        cache_read_input_tokens: FIRST_TOKENS + step * TOKENS_PER_STEP,
      }),
    );
    await fire("PreToolUse", call);
    const tool_response = { stdout: output, stderr: "", interrupted: false, isImage: false };
    await fire("PostToolUse", { ...call, tool_response });
    stage.write(toolResult(`c${step}`, output));
  }
  const ignored = { file_path: path.join(stage.project, "node_modules/a.js") };
  await fire("PreToolUse", { tool_name: "Read", tool_use_id: "ignored", tool_input: ignored });
  await fire("SubagentStart", { agent_id: "agent", agent_type: "general-purpose" });
  await fire("Stop");
  const status = { session_id: "session-1", cwd: stage.project, model: { id: "claude-opus-5" } };
  seen.push(["statusline", drawStatusText(JSON.stringify(status), env)?.line ?? ""]);
  await fire("UserPromptSubmit", { prompt: "Go on." });
  await fire("PreCompact", { trigger: "manual" });
  const state = path.join(stage.project, ".plimsoll");
  seen.push(existsSync(state) ? readdirSync(state).filter((name) => isStateFile(`.plimsoll/${name}`)) : []);
  return JSON.stringify(seen)
    .replaceAll(stage.project, "PROJECT")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z?/g, "TIME");
}

/** What a session without the setting looks like, played once for all that are compared with it. */
const played = new Map<string, Promise<string>>();
function once(name: string, play: () => Promise<string>): Promise<string> {
  const known = played.get(name) ?? play();
  played.set(name, known);
  return known;
}

describe.each(NAMES)("the setting %s", (name) => {
  const { set, additional = {}, tokensPerStep }: Case = CASES[name];

  it("changes its own field and no other", () => {
    const { settings, warnings } = parseSettings([set]);
    const plain = parseSettings([]).settings;
    expect(warnings).toEqual([]);
    expect(NAMES.filter((each) => settings[each] !== plain[each])).toEqual([name]);
  });

  it("changes something that can be seen in the module", async () => {
    const without = await once(`module ${JSON.stringify([additional, tokensPerStep])}`, () =>
      playModule(additional, tokensPerStep),
    );
    expect(await playModule({ ...additional, ...set }, tokensPerStep)).not.toBe(without);
  });

  it("changes something that can be seen with command hooks, or is named as not heeded there", async () => {
    const { settings } = parseSettings([additional, set]);
    const [written = ""] = Object.keys(set);
    const isNamed = listUnheeded(settings).some((words) => words.startsWith(`"${written}"`));
    const without = await once(`hooks ${JSON.stringify(additional)}`, () => playHooks(additional));
    const isSeen = (await playHooks({ ...additional, ...set })) !== without;
    // Named and heeded would be as wrong as neither.
    expect({ isSeen, isNamed }).toEqual({ isSeen: !isNamed, isNamed });
  });
});

it("what is seen is the same in every session with the same settings, in both entry points", async () => {
  expect(await playModule({})).toBe(await playModule({}));
  expect(await playHooks({})).toBe(await playHooks({}));
});
