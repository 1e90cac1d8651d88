import type { PolicyCommand, PolicyStep } from "./command.ts";
import type { InjectedWhat } from "./deeds/deed.ts";
import { composeInjections, describeInjection, type Injection } from "./injection/compose-injections.ts";
import type { PolicyState } from "./policy-state.ts";

export interface TellingDue {
  readonly injection: Injection;
  readonly told?: (before: PolicyState) => PolicyState;
}

export function due(what: InjectedWhat, why: string, text: string, told?: TellingDue["told"]): TellingDue {
  return { injection: { what, why, text }, ...(told ? { told } : {}) };
}

/** Injects as much as fits, the most important first, as one text, and marks only that as said. `model` is called only if there is something. */
export function tellDue(state: PolicyState, list: readonly TellingDue[], model: () => string): PolicyStep {
  const { text, told, leftOut } = composeInjections(list.map(({ injection }) => injection));
  const said = list.filter(({ injection }) => told.includes(injection));
  const notes: readonly PolicyCommand[] = [
    ...said.map(({ injection }) => ({ kind: "note", deed: describeInjection(injection, model()) }) as const),
    ...leftOut.map(({ what }) => {
      const deed = { kind: "declined", what, why: "more important texts left no room" } as const;
      return { kind: "note", deed } as const;
    }),
  ];
  return {
    state: said.reduce((before, { told: follow }) => follow?.(before) ?? before, state),
    commands: [...(text === "" ? [] : [{ kind: "tell", text } as const]), ...notes],
  };
}
