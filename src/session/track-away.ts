import type { Happening, Tracker } from "./happening.ts";

/** An agent that was sent off to work by itself and has not reported yet. */
export interface Away {
  readonly id: string;
  /** What it was sent for. */
  readonly order: string;
  readonly request: number;
}

/** One whose report was lost must not be waited for as long as the session lasts. */
const MAX_AWAY = 50;

export function createAwayTracker(saved: readonly Away[] = []): Tracker<readonly Away[]> {
  let away = saved;
  const settle = (isBack: (agent: Away) => boolean): void => {
    if (away.length > 0) away = away.filter((agent) => !isBack(agent));
  };
  return {
    follow(happening: Happening) {
      if (happening.kind === "finished") settle(({ id }) => id === happening.id);
      if (happening.kind !== "outcome") return;
      const { action, outcome, request } = happening;
      // Asked for its output, the host tells how it stands.
      if (action.kind === "other" && /<status>(?:completed|failed|killed|stopped)/.test(outcome.text))
        settle(({ id }) => outcome.text.includes(id));
      if (action.kind !== "delegate" || (outcome.backgroundId ?? "") === "") return;
      away = [...away, { id: outcome.backgroundId ?? "", order: action.prompt, request }].slice(-MAX_AWAY);
    },
    state: () => away,
  };
}
