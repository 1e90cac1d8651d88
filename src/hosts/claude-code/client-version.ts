/** Whether a client version such as `2.1.93` is at least another; false for an unreadable version. */
export function isVersionAtLeast(version: string, least: string): boolean {
  const ours = rankVersion(version);
  return !Number.isNaN(ours) && ours >= rankVersion(least);
}

const ranks = new Map<string, number>();

/** One number per version, in their order. Cached, because a transcript asks for the same few versions on every line. */
function rankVersion(version: string): number {
  const known = ranks.get(version);
  if (known !== undefined) return known;
  const [major = Number.NaN, minor = 0, patch = 0] = version.split(".").map(Number);
  const rank = (major * 1e4 + minor) * 1e6 + patch;
  if (ranks.size < 100) ranks.set(version, rank);
  return rank;
}

/**
 * Whether a line's `output_tokens` is the final count. Before 2.1.59 it is the value at the start of
 * streaming; up to 2.1.92 only the line with a stop reason is final (measured on 1,628 recorded sessions).
 */
export function isOutputCountFinal(version: string, stopReason: string): boolean {
  if (isVersionAtLeast(version, "2.1.93")) return true;
  return stopReason !== "" && isVersionAtLeast(version, "2.1.59");
}
