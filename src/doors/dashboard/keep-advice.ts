import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import type { SessionPlace } from "../../recorded/assess-session.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { type AroundSession, adviseSample, adviseSession } from "../person/advise-session.ts";
import type { ShownAdvice } from "./wire.ts";

/** What is advised on the sessions that are shown. */
export interface AdviceKeeper {
  /** The last advice on a session, and `null` before the first. Where it is of another state than this, a new one is due. */
  find(key: string, state: AdvisedState): ShownAdvice | null;
  /** Finds what is due, one session at a time; whether there is a new advice. */
  work(): boolean;
}

export interface AdvisedState {
  /** Changes whenever the advice may. */
  readonly stamp: string;
  /** `undefined` for the sample, which is nobody's. */
  readonly around: AroundSession | undefined;
  read(): RecordedSession;
}

export interface KeepAdviceOptions extends SessionPlace, IndexSurroundings {
  /** For how long something takes. */
  clockMs(): number;
}

/** Planning a compaction takes hundreds of milliseconds of a long session: at most a tenth of the time goes into it. */
const PAUSE_PER_COST = 10;
const MOST_HELD = 8;

/** Apart from the load of a session, which is told within a second: nobody waits for an advice that long. */
export function keepAdvice(options: KeepAdviceOptions): AdviceKeeper {
  const held = new Map<string, { readonly stamp: string; readonly advice: ShownAdvice }>();
  const due = new Map<string, AdvisedState>();
  let nextMs = 0;
  return {
    find(key, state) {
      const known = held.get(key);
      if (known?.stamp !== state.stamp) due.set(key, state);
      return known?.advice ?? null;
    },
    work() {
      const [next] = due;
      if (!next || options.clockMs() < nextMs) return false;
      const [key, { stamp, around, read }] = next;
      due.delete(key);
      const startMs = options.clockMs();
      const { sentence, command, place, savesUsd } = (
        around ? adviseSession(read(), around, options) : adviseSample(read(), options)
      ).advice;
      nextMs = options.clockMs() + (options.clockMs() - startMs) * PAUSE_PER_COST;
      const advice = { sentence, command: command ?? null, place: place ?? null, savesUsd: savesUsd ?? null };
      held.delete(key);
      held.set(key, { stamp, advice });
      for (const oldest of [...held.keys()].slice(0, -MOST_HELD)) held.delete(oldest);
      return true;
    },
  };
}
