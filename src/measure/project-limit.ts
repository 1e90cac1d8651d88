/** A limit of the account as the client told it. */
export interface ToldLimit {
  readonly name: string;
  readonly usedPercent: number;
  readonly resetsAtMs: number | undefined;
}

/** When it is used up at the mean pace since its period began; `undefined` where the period ends first, or cannot be told. */
export function projectLimit(
  { usedPercent, resetsAtMs }: Omit<ToldLimit, "name">,
  lengthMs: number,
  nowMs: number,
): number | undefined {
  if (resetsAtMs === undefined || usedPercent <= 0) return undefined;
  const elapsedMs = nowMs - (resetsAtMs - lengthMs);
  if (elapsedMs <= 0) return undefined;
  const endsAtMs = nowMs + (Math.max(0, 100 - usedPercent) / usedPercent) * elapsedMs;
  return endsAtMs < resetsAtMs ? endsAtMs : undefined;
}
