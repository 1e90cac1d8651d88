import { describe, expect, it } from "vitest";
import { RECORD_OPENING } from "../../src/session/compaction/record.ts";
import type { ApiRequest } from "../api/api-request.ts";
import type { Message } from "../api/messages-body.ts";
import { auditRun } from "./audit-run.ts";
import type { Recall } from "./fetch-handles.ts";
import { answered, request, result, said, use } from "./request-log.ts";
import { isLawful, renderVerdict } from "./verdict.ts";

const OUTPUT_CHARACTERS = 10_000;
const WINDOW_STEPS = 50;

/** A session of so many steps that is compacted whenever its window is full; every request parsed anew, as a log has them. */
function playLong(steps: number): { readonly requests: readonly ApiRequest[]; readonly recall: Recall } {
  const requests: ApiRequest[] = [];
  const kept = new Map<string, string>();
  const stretches: string[] = [];
  let messages: Message[] = [said("Paint the hull.")];
  let from = 0;
  for (let step = 0; step < steps; step++) {
    if (step - from === WINDOW_STEPS) {
      const handle = `plimsoll:${String(step).padStart(12, "0")}`;
      const lines = Array.from(
        { length: WINDOW_STEPS },
        (_, line) => `${line + 1} Bash run ${from + line} → (1 lines)`,
      );
      for (const line of lines.keys()) {
        kept.set(`${handle}#${line + 1}`, outputOf(from + line));
        kept.set(`${handle}#${line + 1}i`, JSON.stringify({ command: `run ${from + line}` }));
      }
      const person = from === 0 ? ["person: Paint the hull."] : [];
      const heading = `[LEDGER: 50 earlier exchanges in brief; recall ${handle}#N gives line N whole]`;
      stretches.push([heading, ...person, ...lines].join("\n"));
      messages = [said(`${RECORD_OPENING}\n\n${stretches.join("\n")}`)];
      from = step;
    }
    messages = [
      ...messages,
      answered(use(`toolu_${step}`, { command: `run ${step}` })),
      said(result(`toolu_${step}`, outputOf(step))),
    ];
    requests.push(JSON.parse(JSON.stringify(request(messages))));
  }
  const recall: Recall = async (handle) => {
    const text = kept.get(handle);
    return text === undefined ? undefined : { texts: [text], pictures: [] };
  };
  return { requests, recall };
}

function outputOf(step: number): string {
  return `output of step ${step} `.repeat(OUTPUT_CHARACTERS / 20).slice(0, OUTPUT_CHARACTERS);
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;

describe("a long run", () => {
  it("is audited with less work than it took to log it", async () => {
    const before = process.cpuUsage();
    const { requests, recall } = playLong(300);
    const logging = process.cpuUsage(before);
    const verdict = await auditRun({ requests, recall });
    const both = process.cpuUsage(before);
    expect(isLawful(verdict), renderVerdict(verdict)).toBe(true);
    expect(verdict.followed).toBe(601);
    // A log of 75 MB. Reading every message of every request anew takes several times the work of writing them.
    expect(sum(both) - sum(logging)).toBeLessThan(sum(logging) * 2);
  });
});
