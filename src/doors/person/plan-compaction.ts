import { locateHome } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { BEFORE_FILE } from "../../measure/attribution.ts";
import { ONE_HOUR_MS } from "../../measure/cache-miss.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import { assessSession, attributeSession, type SessionPlace } from "../../recorded/assess-session.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { type CompactionPreview, previewCompaction } from "../../survive/record/preview-compaction.ts";
import { readOwnSettings } from "../cli/doctor/read-installed.ts";
import { followHappened } from "../cli/require-session.ts";

/** What is taken of a session that nothing is known of. */
export const EXPECTED_REQUESTS = 20;

export interface PlannedCompaction {
  readonly preview: CompactionPreview;
  readonly model: string;
  /** As the person has set them for the project that the session ran in. */
  readonly settings: Settings;
}

/** What a compaction of a recorded session would do by the person's own settings; undefined where no request is recorded yet. */
export function planCompaction(
  { session }: { readonly session: RecordedSession },
  place: SessionPlace & IndexSurroundings,
  expectedRequests: number = EXPECTED_REQUESTS,
): PlannedCompaction | undefined {
  const happened = followHappened(session);
  const health = assessSession(session, place);
  const contextTokens = health.nextTokens ?? health.usedTokens;
  if (contextTokens === undefined) return undefined;
  const { atMs, ttlMs } = session.transcript.meter.cached ?? { atMs: undefined, ttlMs: 0 };
  const { settings } = readOwnSettings(locateHome(place.environment), happened.cwd || place.directory);
  const { parts = {} } = attributeSession(session).at(-1) ?? {};
  const preview = previewCompaction(happened, session.recording, {
    policy: settings.policy,
    vocabulary: session.host.vocabulary,
    model: health.model,
    contextTokens,
    // Of this window: a transcript may begin in the middle of a session, and its first request tells too much.
    baseTokens: Math.min(parts.base ?? parts[BEFORE_FILE] ?? 0, contextTokens),
    isCold: atMs !== undefined && place.nowMs() - atMs > ttlMs,
    share1h: ttlMs === ONE_HOUR_MS ? 1 : 0,
    speed: session.transcript.meter.current?.usage.speed,
    root: happened.cwd,
    expectedRequests,
  });
  return { preview, model: health.model, settings };
}
