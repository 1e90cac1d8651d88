import type { DeedDetail } from "../../policy/deeds/deed.ts";
import { composeInjections } from "../../policy/injection/compose-injections.ts";
import { describeInjection, type Injection } from "../../policy/injection/injection.ts";
import type { HookAnswer, HookContext, HookInput } from "./hook.ts";
import { findModel } from "./inject-model.ts";

export interface Telling {
  /** The most important first. */
  readonly injections: readonly Injection[];
  /** For the person. */
  readonly warnings: readonly string[];
  readonly deeds: readonly DeedDetail[];
}

/** What an event tells the model, within what the client takes of one hook, each part with its price in the journal. */
export function tell(input: HookInput, context: HookContext, { injections, warnings, deeds }: Telling): HookAnswer {
  const { text, told, leftOut } = composeInjections(injections);
  const model = told.length > 0 ? findModel(input, context) : "";
  const left = leftOut.map(
    ({ what }): DeedDetail => ({ kind: "declined", what, why: "no room beside what is more important" }),
  );
  return {
    ...(text === "" ? {} : { output: { additionalContext: text } }),
    ...(warnings.length === 0 ? {} : { systemMessage: warnings.map((warning) => `plimsoll: ${warning}`).join("\n") }),
    deeds: [...deeds, ...told.map((one) => describeInjection(one, model)), ...left],
  };
}
