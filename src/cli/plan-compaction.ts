import { locateClientHome } from "../hosts/claude-code/disk/projects.ts";
import { readMeter } from "../hosts/claude-code/disk/read-meter.ts";
import { readRecording } from "../hosts/claude-code/disk/read-recording.ts";
import { claudeCodeVocabulary } from "../hosts/claude-code/vocabulary.ts";
import { assessSession, type Place } from "../recorded/assess-session.ts";
import { attributeSession } from "../recorded/attribute-session.ts";
import { type CompactionPreview, previewCompaction } from "../session/compaction/preview-compaction.ts";
import type { Settings } from "../session/settings/settings.ts";
import { readOwnSettings } from "./doctor/read-own-settings.ts";
import { readHappened } from "./read-happened.ts";

/** What is taken of a session that nothing is known of, as in `core/economics/expect-requests.ts`. */
export const EXPECTED_REQUESTS = 20;

export interface PlannedCompaction {
  readonly preview: CompactionPreview;
  readonly model: string;
  /** As the person has set them for the project that the session ran in. */
  readonly settings: Settings;
}

/** What a compaction of a recorded session would do by the person's own settings; undefined where no request is recorded yet. */
export function planCompaction(
  file: string,
  place: Place,
  expectedRequests: number = EXPECTED_REQUESTS,
): PlannedCompaction | undefined {
  const happened = readHappened(file);
  const session = readRecording(file);
  const health = assessSession(readMeter(file), place);
  const contextTokens = health.nextTokens ?? health.usedTokens;
  if (contextTokens === undefined) return undefined;
  const { settings } = readOwnSettings(locateClientHome(place.environment), happened.cwd || place.directory);
  const preview = previewCompaction(happened, session.recording, {
    policy: settings.policy,
    vocabulary: claudeCodeVocabulary,
    model: health.model,
    contextTokens,
    // Of this window: a transcript may begin in the middle of a session, and its first request tells too much.
    baseTokens: Math.min(attributeSession(session).at(-1)?.parts.base ?? 0, contextTokens),
    root: happened.cwd,
    transcript: file,
    expectedRequests,
  });
  return { preview, model: health.model, settings };
}
