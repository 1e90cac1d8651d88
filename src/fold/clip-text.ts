/** At most `max` characters, an ellipsis where something was cut, never half of a surrogate pair. */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 1) return max === 1 ? "…" : "";
  const end = max - 1;
  const last = text.charCodeAt(end - 1);
  const splitsPair = last >= 0xd800 && last < 0xdc00;
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
