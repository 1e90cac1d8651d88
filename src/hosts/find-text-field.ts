/** The first text of that name in the beginning of a JSON record, which may be cut off behind it; empty where there is none. */
export function findTextField(head: string, name: string): string {
  const from = head.indexOf(`"${name}"`);
  if (from < 0) return "";
  const [, text] = /^\s{0,9}:\s{0,9}("(?:[^"\\]|\\.){0,4000}")/.exec(head.slice(from + name.length + 2)) ?? [];
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
