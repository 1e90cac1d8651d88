/** What a request says about tools. */
export interface ToolTerms {
  /** It offers tools of its own. */
  readonly hasTools: boolean;
  /** The `type` of its `tool_choice`; empty where it says none. */
  readonly toolChoice: string;
}

/**
 * Whether the model can be given a tool to fetch things back with in this request. Where it can call no tool, or only a certain one,
 * nothing may be out of its reach: such a request leaves whole.
 */
export function mayServeRecall({ hasTools, toolChoice }: ToolTerms): boolean {
  return hasTools && (toolChoice === "" || toolChoice === "auto" || toolChoice === "any");
}
