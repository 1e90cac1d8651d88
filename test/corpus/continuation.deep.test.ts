/** If red: different commands name different next steps for one session. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { CORPUS } from "../../lab/bench/corpus.ts";
import { HOSTS as CLIENTS, readSession } from "../../src/hosts/catalogue.ts";
import { renderContinueHere } from "../../src/policy/advice/continue-here.ts";
import { describeWork } from "../../src/policy/advice/report-health.ts";
import { describeLoop } from "../../src/policy/steps/looped.ts";
import { readRemainder } from "../../src/session/closing.ts";
import { createSession } from "../../src/session/session.ts";
import { draftPacket } from "../../src/survive/packet/draft-packet.ts";
import { parseBullets } from "../../src/survive/project-state/entry-log.ts";
import { toStateSave } from "../../src/survive/project-state/to-state-save.ts";
import type { Happened } from "../../src/survive/record/happened.ts";
import { renderPreservation } from "../../src/survive/record/preservation.ts";
import { renderStandingRecord } from "../../src/survive/record/standing-record.ts";
import { renderSummary } from "../../src/survive/record/summary.ts";
import { createTrail } from "../../src/survive/record/trail.ts";
import { withCorpus } from "../support/needs.ts";

const HOSTS = path.resolve(CORPUS, "../hosts");
const CUTS = 10;

interface CutSession {
  readonly client: string;
  readonly name: string;
  readonly happened: Happened;
}

function* cutSessions(): Generator<CutSession> {
  for (const root of [CORPUS, HOSTS].filter(existsSync))
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
      if (!/\.jsonl?$/.test(name) || name.endsWith("INDEX.json")) continue;
      const { host, events } = readSession(path.join(root, name));
      const session = createSession(host.vocabulary);
      const trail = createTrail(host.vocabulary);
      const every = Math.max(1, Math.floor(events.length / CUTS));
      for (const [at, event] of events.entries()) {
        session.feed(event);
        trail.feed(event);
        const isTurnEnd = event.kind === "output" && event.isTurnEnd === true && at % 3 === 0;
        if (at % every === every - 1 || isTurnEnd || at === events.length - 1)
          yield {
            client: host.name,
            name: `${name} after event ${at}`,
            happened: { state: session.state(), trail: trail.state() },
          };
      }
    }
}

/** A report without a task may still say what was done last. */
const NO_TASK = /^none (?:open|recorded as open)(?:; last: .+)?$/;
const NOTHING = /\b(?:nothing is open|no open task is recorded)\b/i;
const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim();

/** What each rendering says, read off its text; nothing of ours is asked twice. */
function readRenderings(happened: Happened) {
  const summary = renderSummary(happened, { maxTokens: 4000 });
  const saved = toStateSave(happened, { git: "", isEnd: true });
  const checkpoint = saved["checkpoint.md"]?.fields ?? {};
  const progress = saved["progress.md"]?.[0]?.fields ?? {};
  const preservation = renderPreservation({ happened, root: "", trigger: "auto", summaries: [] });
  const record = renderStandingRecord(happened);
  const loop = describeLoop(happened, "none");
  const report = describeWork(happened);
  return {
    resume: /> Resume: (.*?)(?: \[(?:call|request):[^\]]*\])?$/m.exec(summary)?.[1] ?? "",
    remains: Number(/remains (\d+)/.exec(summary)?.[1]),
    hasBlocker: summary.includes("- Blocker: "),
    left: parseBullets(checkpoint.Left),
    resumeAt: checkpoint.Resume ?? "",
    progress: {
      inProgress: parseBullets(progress["In Progress"]),
      blocked: parseBullets(progress.Blocked),
      next: parseBullets(progress["Next Session Should"])[0] ?? "",
    },
    preserved: section(preservation, "📋 ACTIVE / IN-PROGRESS TASKS:", "  • "),
    recorded: section(record, "Open tasks at this point, next first:", "- "),
    pause: loop && renderContinueHere(loop.progress),
    report,
  };
}

function section(text: string, title: string, mark: string): readonly string[] {
  const lines = text.split("\n");
  const from = lines.indexOf(title) + 1;
  if (from === 0) return [];
  const end = lines.findIndex((line, at) => at >= from && !line.startsWith(mark));
  return lines.slice(from, end < 0 ? undefined : end).map((line) => line.slice(mark.length));
}

/** Sentences that contradict each other, in words. */
function listContradictions(happened: Happened): readonly string[] {
  const { state } = happened;
  const said = readRenderings(happened);
  const { progress, left, resumeAt, report, resume, remains, preserved, recorded, pause } = said;
  const active = state.work
    .filter(({ status }) => status === "active")
    .map(({ subject }) => squeeze(subject).slice(0, 60));
  const isNothing = NOTHING.test(resume);
  const isKnown = !/^unknown: /.test(resume);
  const { next } = progress;
  const isLeft = state.turn?.last === "said" && readRemainder(state.turn.said).length > 0;
  const holds: readonly (readonly [string, boolean])[] = [
    [`summary: remains ${remains}, and nothing is open`, !(isNothing && remains > 0)],
    ["the record has open work, and nothing is open", !(isNothing && recorded.length > 0)],
    ["the preservation block has open tasks, and nothing is open", !(isNothing && preserved.length > 0)],
    ["the checkpoint has something left, and nothing is open", !(isNothing && left.length > 0)],
    ["the report has a task, and nothing is open", !isNothing || NO_TASK.test(report.task)],
    ["the report has no task, and something is open", !NO_TASK.test(report.task) || remains === 0],
    [`summary: remains ${remains}, record: ${recorded.length}`, recorded.length <= remains],
    [`summary: remains ${remains}, block: ${preserved.length}`, Math.min(remains, 10) === preserved.length],
    [
      "checkpoint and progress name other next steps",
      next === "" ? NOTHING.test(resumeAt) : squeeze(resumeAt) === next,
    ],
    ["summary and progress name other next steps", isNothing || !isKnown ? next === "" : startsAlike(next, resume)],
    ["a blocker next to none", said.hasBlocker === progress.blocked.length > 0],
    ["report and progress name other blockers", report.blockers.length === progress.blocked.length],
    ["blocked, and nothing is open", !(isNothing && report.blockers.length > 0)],
    ["the model said what is left, and nothing is open", !(isLeft && isNothing)],
    ...active.flatMap((subject): readonly (readonly [string, boolean])[] => [
      [`in progress, not in the record: ${subject}`, holdsOne(recorded, subject.slice(0, 40)) || hasMore(recorded)],
      [`in progress, not in the block: ${subject}`, active.length > 10 || holdsOne(preserved, subject)],
      [`in progress, not in the progress: ${subject}`, holdsOne(progress.inProgress, subject)],
      [`in progress, not in the pause: ${subject}`, pause === undefined || squeeze(pause).includes(subject)],
    ]),
  ];
  return holds.filter(([, isTrue]) => !isTrue).map(([fault]) => fault);
}

function holdsOne(lines: readonly string[], subject: string): boolean {
  return lines.some((line) => squeeze(line).includes(subject));
}

/** A record is short: it says how many of a long list it leaves out. */
function hasMore(recorded: readonly string[]): boolean {
  return / more: read your task list$/.test(recorded.at(-1) ?? "");
}

function startsAlike(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => squeeze(text).replace(/…$/, ""));
  return left !== undefined && right !== undefined && (left.startsWith(right) || right.startsWith(left));
}

withCorpus.describe("what is said of a recorded session, wherever it is cut", () => {
  it("[R44][R46][R48][R74][R119][R168] is the same in every rendering, and no item in progress is lost", () => {
    const faults: string[] = [];
    const cuts = new Map<string, number>();
    for (const { client, name, happened } of cutSessions()) {
      cuts.set(client, (cuts.get(client) ?? 0) + 1);
      faults.push(...listContradictions(happened).map((fault) => `${name}: ${fault}`));
      const packet = draftPacket(happened.state, { task: "Go on" }).text ?? "";
      if (NOTHING.test(packet)) faults.push(`${name}: a packet says that nothing is open`);
    }
    for (const { name } of CLIENTS) expect(cuts.get(name), `cuts of ${name}`).toBeGreaterThan(20);
    expect(faults.slice(0, 20)).toEqual([]);
  });
});
