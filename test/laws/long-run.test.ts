/** If red: auditing a long session takes hours, or skips requests. */
import { describe, expect, it } from "vitest";
import { renderHeading } from "../../src/layers/ledger/ledger-text.ts";
import { RECORD_OPENING } from "../../src/survive/record/record-opening.ts";
import type { ApiRequest } from "../api/api-request.ts";
import type { Message } from "../api/messages-body.ts";
import { auditRun } from "./audit-run.ts";
import type { Recall } from "./fetch-handles.ts";
import { listSteps } from "./list-steps.ts";
import type { Reading } from "./read-message.ts";
import { answered, request, result, said, use } from "./request-log.ts";
import { splitConversations } from "./split-conversations.ts";
import { isLawful, renderVerdict } from "./verdict.ts";

const OUTPUT_CHARACTERS = 10_000;
const WINDOW_STEPS = 50;

/** A session of so many steps that is compacted whenever its window is full; every request parsed anew, as a log has them. */
function playLong(steps: number): { readonly requests: readonly ApiRequest[]; readonly recall: Recall } {
  const requests: ApiRequest[] = [];
  const kept = new Map<string, string>();
  const segments: string[] = [];
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
      const heading = renderHeading(50, handle);
      segments.push([heading, ...person, ...lines].join("\n"));
      messages = [said(`${RECORD_OPENING}\n\n${segments.join("\n")}`)];
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

describe("a long run", () => {
  it("is read once: what stands in a request again is what was read of it before", () => {
    const [log] = splitConversations(playLong(120).requests);
    const read = new Set<Reading>();
    for (const { dropped, fresh } of log ? listSteps(log, true) : []) {
      expect(dropped.filter((reading) => !read.has(reading))).toEqual([]);
      for (const reading of fresh) read.add(reading);
    }
    expect(read.size).toBe(1 + 120 * 2 + 2);
  });

  it("is audited with one question for each handle, however many requests hold it", async () => {
    const { requests, recall } = playLong(300);
    const asked: string[] = [];
    const verdict = await auditRun({
      requests,
      recall: (handle) => {
        asked.push(handle);
        return recall(handle);
      },
    });
    expect(isLawful(verdict), renderVerdict(verdict)).toBe(true);
    expect(verdict.followed).toBe(601);
    expect(asked).toHaveLength(new Set(asked).size);
  });
});
