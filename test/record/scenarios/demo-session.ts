import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { isRecord } from "../../api/messages-body.ts";
import { validateMessages } from "../../api/validate-messages.ts";
import { installRunner, readDemoProject } from "../demo-project/demo-project.ts";
import type { Line, Recorded, Recording } from "../recording.ts";
import { shortenVendorText } from "../sanitise.ts";
import { DEMO_PROMPTS, renderDemoScript } from "./demo-script.ts";

/** So chosen that an hour of work passes, and that no test run takes longer than the prompt cache lives. */
const CLOCK_FACTOR = 40;
const MINUTE_MS = 60_000;
const MAX_BYTES = 800_000;

/** Switches off the client's own copies of its requests, which would hold every tool result a third time. */
const NO_REQUEST_COPIES = { CLAUDE_CODE_ELEGANT_MEADOW: "0" };

export const demoSession: Recording = {
  name: "demo-session",
  target: "samples/demo-session",
  versions: ["2.1.325"],
  clockFactor: CLOCK_FACTOR,
  shows:
    "a whole working session: six prompts, failing tests, edits, parallel reads, a subagent, a lunch break; **by hand**: timestamps stretched",
  async play({ cwd, write, serve, prompt }) {
    for (const [path, content] of await readDemoProject()) await write(path, content);
    await installRunner(cwd);
    // Only the person's pauses age the prompt cache: how long a test run takes depends on the machine.
    let idleMs = 0;
    await serve({ ...renderDemoScript(cwd), nowMs: () => idleMs });
    for (const { words, pauseMinutes } of DEMO_PROMPTS) {
      idleMs += pauseMinutes * MINUTE_MS;
      await wait((pauseMinutes * MINUTE_MS) / CLOCK_FACTOR);
      await prompt(words, { env: NO_REQUEST_COPIES, timeoutMs: 5 * MINUTE_MS });
    }
  },
  verify(recorded) {
    assert.deepEqual(
      recorded.requests.flatMap((request) => validateMessages(request.body)),
      [],
    );
    verifySize(recorded);
    verifyContext(recorded.lines);
    verifyResults(recorded.lines);
  },
};

function verifySize({ lines, requests, subagents }: Recorded): void {
  const steps = requests.filter((request) => request.lane === "main").length;
  assert.ok(steps >= 45 && steps <= 60, `${steps} steps are not between 45 and 60`);
  assert.equal(subagents.filter((name) => name.endsWith(".jsonl")).length, 1);
  const bytes = Buffer.byteLength(lines.map((line) => JSON.stringify(shortenVendorText(line))).join("\n"));
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes are more than ${MAX_BYTES}`);
}

function verifyContext(lines: readonly Line[]): void {
  const usages = lines.map(usageOf).filter((usage) => usage !== null);
  const [first = 0, last = 0] = [usages.at(0)?.context, usages.at(-1)?.context];
  assert.ok(first > 18_000 && first < 32_000, `the context starts at ${first}`);
  assert.ok(last > 105_000 && last < 125_000, `the context ends at ${last}`);
  const misses = usages.filter((usage, index) => usage.read < (usages[index - 1]?.read ?? 0));
  assert.equal(new Set(misses.map((usage) => usage.id)).size, 1, "the lunch break alone misses the prompt cache");
}

interface StepUsage {
  readonly id: unknown;
  readonly context: number;
  readonly read: number;
}

function usageOf({ type, message }: Line): StepUsage | null {
  if (type !== "assistant" || !isRecord(message) || !isRecord(message.usage)) return null;
  const read = Number(message.usage.cache_read_input_tokens);
  const written = Number(message.usage.cache_creation_input_tokens);
  return { id: message.id, context: Number(message.usage.input_tokens) + written + read, read };
}

/** The story must come true: tests that fail before the fix and pass after it, and no edit that misses. */
function verifyResults(lines: readonly Line[]): void {
  const text = JSON.stringify(lines.filter((line) => line.type === "user"));
  const wanted = ["debits 10442, credits 10441", "12261", "fail 0", "7,335.83", "7,722.70", "has been updated"];
  for (const words of wanted) assert.ok(text.includes(words), `no result says: ${words}`);
  for (const words of ["String to replace not found", "has not been read", "SyntaxError", "ReferenceError"]) {
    assert.ok(!text.includes(words), `a step failed: ${words}`);
  }
}
