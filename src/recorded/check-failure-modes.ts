import type { OwnAction } from "../policy/actions/own-action.ts";
import type { Happened } from "../survive/record/continuation.ts";

/** One way in which compaction is known to go wrong, and what the session shows of it. */
export interface FailureMode {
  readonly name: string;
  /** `unknown`: neither the recording nor the journal can show it. */
  readonly verdict: "applies" | "clear" | "unknown";
  readonly why: string;
}

const LARGE_LINES = 500;
const LARGE_READS = 3;
/** From here on the adjusted table says RED. */
const MANY_CALLS = 100;

/** What neither the recording nor the journal can show. */
const UNSEEN: readonly (readonly [name: string, why: string])[] = [
  ["stale context without a date", "what was injected is not kept; Plimsoll renders every entry with its date"],
  ["compaction by an estimate", "the journal does not say whether the load before it was measured"],
  ["a bundle built before its preview", "the recording does not show when a bundle was built"],
  ["an estimate off by two for other languages", "the figure is calibrated with the recorded usage of each model"],
  ["terse writing in the first answer", "the journal records no answers"],
  ["terse writing in code or errors", "the journal records no answers"],
  ["terse writing in an irreversible step", "the journal records no answers"],
];

/** The seed's list, checked before one says that a session is done. */
export function checkFailureModes({ state, trail }: Happened, actions: readonly OwnAction[]): readonly FailureMode[] {
  const compacted = actions.filter((action) => action.kind === "compacted");
  const lost = actions.flatMap((action) =>
    action.kind === "receipt" && action.landing === "missing" ? action.lost : [],
  );
  const early = actions.filter(
    (action) => action.kind === "blocked" && /context/i.test(action.why) && !/critical|RED/i.test(action.why),
  );
  const unanswered = trail.calls.filter(({ outcome }) => outcome === "waiting").length;
  const large = state.files.filter(
    ({ lastRange }) => lastRange !== undefined && lastRange.last - lastRange.first > LARGE_LINES,
  );
  const hasSaved =
    actions.some((action) => action.kind === "injected" && action.what === "record") || lost.length === 0;
  const switches = actions.filter((action) => action.kind === "signal" && action.signal.scope === "session").length;
  const seen = (name: string, isFault: boolean, why: string): FailureMode => ({
    name,
    verdict: isFault ? "applies" : "clear",
    why,
  });
  return [
    seen(
      "compaction without saved state",
      compacted.length > 0 && !hasSaved,
      `${lost.length} facts were lost and not put back`,
    ),
    seen("calls refused below RED", early.length > 0, `${early.length} calls were refused for the load below RED`),
    seen(
      "large files without the adjusted table",
      large.length >= LARGE_READS && compacted.length === 0 && trail.calls.length > MANY_CALLS,
      `${large.length} files of more than ${LARGE_LINES} lines were read`,
    ),
    seen("a tool call parted from its result", unanswered > 1, `${unanswered} calls have no result`),
    seen(
      "a list compacted in the middle without a save",
      compacted.length > 0 && lost.length > 0 && state.work.some(({ status }) => status === "active"),
      `${state.work.length} items are on the list`,
    ),
    seen("terse writing that drifts back", switches > 2, `density changed ${switches} times`),
    ...UNSEEN.map(([name, why]): FailureMode => ({ name, verdict: "unknown", why })),
  ];
}
