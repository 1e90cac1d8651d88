const TOKENS_PER_TOOL = 500;
const TOKENS_PER_AGENT = 300;

export interface CountedBaseline {
  readonly tools: number;
  readonly agents: number;
  readonly instructionTokens: number;
}

/** The rule of thumb. It knows neither the client's own prompt and tools nor how large a schema really is. */
export function estimateByFormula({ tools, agents, instructionTokens }: CountedBaseline): number {
  return tools * TOKENS_PER_TOOL + agents * TOKENS_PER_AGENT + instructionTokens;
}
