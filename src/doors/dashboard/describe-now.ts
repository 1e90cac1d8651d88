import path from "node:path";
import type { Followed, Reading } from "../../hosts/follow-transcript.ts";
import { type Bill, billRequests, isAtLeast } from "../../models/economics/bill.ts";
import { findFoldable } from "../../policy/foldable.ts";
import { assessSession, type Place } from "../../recorded/assess-session.ts";
import { attributeSession } from "../../recorded/attribute-session.ts";
import { describeHead, type Watched } from "./describe-head.ts";
import { describeSeries } from "./describe-series.ts";
import { nameProject } from "./name-project.ts";
import type { NowHealth, NowSession } from "./wire.ts";

/** The load line of a session whose contents are too large to be held: all but what fills the window. */
export function describeHeavy(
  { key, file, isRunning }: Omit<Watched, "followed">,
  followed: Followed<Reading>,
  place: Place,
): NowSession {
  const reading = followed.read();
  const { title, cwd, meter } = reading.transcript;
  const { steps } = reading.accounts;
  return {
    key,
    title: title || path.basename(file.path, ".jsonl"),
    project: nameProject(file),
    model: meter.cached?.model ?? "",
    isSubagent: file.isSubagent,
    isRunning,
    startMs: steps[0]?.atMs ?? null,
    lastMs: file.modifiedMs,
    directory: cwd,
    requests: meter.steps,
    ...describeCost(billRequests(steps)),
    health: describeHealth(assessSession(reading, place)),
    foldable: { results: 0, tokens: 0 },
    series: { requests: [], usedTokens: [], layers: [], marks: [] },
  };
}

/** The load line of one session as it stands. */
export function describeNow(watched: Watched, place: Place): NowSession {
  const session = watched.followed.read();
  const { recording } = session;
  const health = assessSession(session, place);
  return {
    ...describeHead(watched, session),
    directory: session.transcript.cwd,
    requests: recording.steps.length,
    ...describeCost(billRequests(recording.steps)),
    health: describeHealth(health),
    foldable: findFoldable(recording),
    series: describeSeries(recording, attributeSession(session), watched.deeds),
  };
}

function describeCost(bill: Bill): Pick<NowSession, "costUsd" | "isCostAtLeast"> {
  return { costUsd: bill.spend.totalUsd, isCostAtLeast: isAtLeast(bill) };
}

function describeHealth(health: ReturnType<typeof assessSession>): NowHealth {
  const { level, windowTokens, compactionPointTokens, compactionPointSource, confidence, note } = health;
  return {
    level,
    usedTokens: health.usedTokens ?? null,
    lowTokens: health.lowTokens ?? null,
    highTokens: health.highTokens ?? null,
    nextTokens: health.nextTokens ?? null,
    windowTokens,
    compactionPointTokens,
    compactionPointSource,
    requestsToLine: health.requestsToLine ?? null,
    confidence,
    note,
  };
}
