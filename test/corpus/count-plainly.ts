import { readFileSync } from "node:fs";

/** What a transcript holds, found by `JSON.parse` and nothing of ours: the measure that our readers are held to. */
export interface PlainCount {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Those that `JSON.parse` rejects. */
  readonly rejected: number;
  /** Those whose uuid an earlier line had. */
  readonly repeated: number;
  /** Calls in answers that were billed. */
  readonly toolCalls: number;
  /** The largest output told of each message that was billed, in the order of their first lines. */
  readonly outputTokens: ReadonlyMap<string, number>;
}

interface Line {
  readonly uuid?: string;
  readonly type?: string;
  readonly isApiErrorMessage?: boolean;
  readonly data?: { readonly type?: string; readonly message?: Line };
  readonly message?: {
    readonly id?: string;
    readonly model?: string;
    readonly usage?: { readonly output_tokens?: number };
    readonly content?: string | readonly { readonly type?: string }[];
  };
}

export function countPlainly(file: string): PlainCount {
  const texts = readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text.trim() !== "");
  const lines = texts.flatMap(parsePlainly);
  const outputTokens = new Map<string, number>();
  let toolCalls = 0;
  for (const line of lines) {
    const spoken = line.type === "progress" && line.data?.type === "agent_progress" ? line.data.message : line;
    if (spoken?.type !== "assistant" || spoken.isApiErrorMessage === true) continue;
    const { id, model, usage, content } = spoken.message ?? {};
    if (!id || !usage || model === "<synthetic>") continue;
    if (Array.isArray(content)) toolCalls += content.filter(({ type }) => type === "tool_use").length;
    outputTokens.set(id, Math.max(outputTokens.get(id) ?? 0, usage.output_tokens ?? 0));
  }
  const uuids = lines.flatMap(({ uuid }) => uuid ?? []);
  return {
    lines: texts.length,
    rejected: texts.length - lines.length,
    repeated: uuids.length - new Set(uuids).size,
    toolCalls,
    outputTokens,
  };
}

function parsePlainly(text: string): readonly Line[] {
  try {
    return [JSON.parse(text) as Line];
  } catch {
    return [];
  }
}
