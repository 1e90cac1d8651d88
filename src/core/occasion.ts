/** What is known of the request that is about to be made, beside its messages. Whoever knows nothing of it leaves it out. */
export interface Occasion {
  /** System prompt, tools, instructions: what every request carries whatever was said. */
  readonly baseTokens: number;
  readonly model: string;
  /** The prefix has left the cache: the request is written anew whatever is decided. */
  readonly isCold: boolean;
  /** How much of what is written is for the long life time. */
  readonly share1h: number;
  /** `client`: the end of the request is marked, so a change far from it costs everything behind the base. `atEdit`: its place is marked, too. */
  readonly marks: "client" | "atEdit";
  /** What a token counts by how it travels, where not the model's prices decide. */
  readonly weights?: TokenWeights | undefined;
}

/** What a token that is read from the cache, sent or written into it, or answered counts, relative to one another. */
export interface TokenWeights {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

export const unknownOccasion: Occasion = { baseTokens: 0, model: "", isCold: false, share1h: 0, marks: "client" };
