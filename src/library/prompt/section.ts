/** One part of a system prompt. */
export interface Section {
  readonly name: string;
  readonly text: string;
  /** `static`: the same in every request of every session. `dynamic`: whatever may change between two requests. */
  readonly kind: SectionKind;
}

export type SectionKind = "static" | "dynamic";

/** Everything before this line is the same in every request, so it is paid for once; everything after it may change. */
export const DYNAMIC_BOUNDARY = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

/** The sections whose place is fixed. Others may stand among those of their own kind, wherever their author puts them. */
export const SECTION_ORDER: Readonly<Record<SectionKind, readonly string[]>> = {
  static: ["Intro", "System rules", "Doing tasks", "Actions care"],
  dynamic: ["Environment", "Project context", "Instruction files", "Runtime config"],
};
