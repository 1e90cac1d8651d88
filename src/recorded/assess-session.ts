import type { Output } from "../core/event.ts";
import type { RecordedSession, TranscriptReading } from "../hosts/follow-transcript.ts";
import type { Environment } from "../hosts/host.ts";
import { type Attribution, attributeWindow, fitParts } from "../measure/attribution.ts";
import { calibrate } from "../measure/calibration.ts";
import { assessHealth, type Health } from "../measure/health.ts";
import type { Profile } from "../measure/level.ts";
import { observeGrowth } from "../measure/meter.ts";
import { tokenizerOf } from "../models/tokens.ts";

/** Which settings apply: the user's variables, and the project for a session that does not name its own. */
export interface SessionPlace {
  readonly environment: Environment;
  readonly directory: string;
}

type Assessed = Pick<TranscriptReading, "host" | "transcript"> & Partial<Pick<RecordedSession, "events">>;

/** The health of a session under the user's own compaction settings. */
export function assessSession(
  { host, transcript, events = [] }: Assessed,
  place: SessionPlace,
  profile?: Profile,
): Health {
  const settings = host.readCompactionSettings(place.environment, transcript.cwd || place.directory);
  const health = assessHealth(transcript.meter, { settings, ...(profile ? { profile } : {}) });
  if (host.recordsUsage !== false) return health;
  const note = `${host.title} records no usage, and the number of tool calls is only a rough guide`;
  return { ...health, ...countAnswers(events), note };
}

/** Counts requests by their usage; if none is recorded, by answers. */
function countAnswers(events: RecordedSession["events"]): Pick<Health, "steps" | "model"> {
  const answers = events.filter((event): event is Output => event.kind === "output");
  return { steps: new Set(answers.map(({ stepId }) => stepId)).size, model: answers.at(-1)?.model ?? "" };
}

/** Attribution calibrated on the session itself, because its own steps show best what their tokens are. No part is below zero. */
export function attributeSession({ recording }: Pick<RecordedSession, "recording">): readonly Attribution[] {
  const model = recording.steps.at(-1)?.model ?? "";
  const tokenizer = tokenizerOf(model);
  const own = observeGrowth(recording).filter((observation) => tokenizerOf(observation.model) === tokenizer);
  return attributeWindow(recording, calibrate(own, tokenizer)).map(fitParts);
}
