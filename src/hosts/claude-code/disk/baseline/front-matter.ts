/** The fields at the head of a definition, as far as they are single texts, and what stands below. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Enough of YAML for what clients read: `key: text`, folded and literal blocks, quotes. Lists come as their text. */
export function parseFrontMatter(text: string): FrontMatter {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { fields: {}, body: text };
  const fields: Record<string, string> = {};
  let key = "";
  for (const line of (match[1] ?? "").split(/\r?\n/)) {
    const start = /^([\w-]+):[ \t]*(.*)$/.exec(line);
    if (start) {
      key = start[1] ?? "";
      const value = (start[2] ?? "").trim();
      fields[key] = /^[|>][+-]?$/.test(value) ? "" : value.replace(/^(["'])(.*)\1$/, "$2");
    } else if (key !== "" && line.trim() !== "") {
      fields[key] = `${fields[key] ?? ""} ${line.trim()}`.trim();
    }
  }
  return { fields, body: text.slice(match[0].length) };
}
