import { MARKETPLACE, PLUGIN_IDS } from "../plugin-names.ts";

/** What Codex's `config.toml` says about us. Codex writes the file, and we only read it: a person's own file is theirs. */
export interface CodexEntries {
  /** Where the marketplace is said to lie. */
  readonly source: string | undefined;
  readonly isEnabled: boolean;
}

const TABLES = { marketplace: `[marketplaces.${MARKETPLACE}]`, plugin: `[plugins."${PLUGIN_IDS.classic}"]` } as const;

export function parseConfigEntries(text: string): CodexEntries {
  const [, quoted, plain] =
    /^source\s{0,9}=\s{0,9}(?:("(?:[^"\\]|\\.)*")|'([^']*)')/m.exec(tableOf(text, "marketplace")) ?? [];
  const isEnabled = /^enabled\s{0,9}=\s{0,9}true\b/m.test(tableOf(text, "plugin"));
  return { source: quoted === undefined ? plain : parseQuoted(quoted), isEnabled };
}

/** The lines that Codex adds, as it writes them. */
export function renderConfigEntries(root: string): string {
  const marketplace = `${TABLES.marketplace}\nsource_type = "local"\nsource = ${JSON.stringify(root)}\n`;
  return `${marketplace}\n${TABLES.plugin}\nenabled = true\n`;
}

/** Whether every line that is not ours, comments and blanks included, still stands, in the same order. */
export function keepsLines(before: string, after: string): boolean {
  const rest = after.split("\n").values();
  for (const line of withoutOurs(before)) {
    if (line.trim() === "") continue;
    let next = rest.next();
    while (!next.done && next.value !== line) next = rest.next();
    if (next.done) return false;
  }
  return true;
}

function withoutOurs(text: string): readonly string[] {
  const names: readonly string[] = Object.values(TABLES);
  let isOurs = false;
  return text.split("\n").filter((line) => {
    if (/^\s*\[/.test(line)) isOurs = names.includes(line.trim());
    // A comment below ours belongs to the person, or to what follows.
    else if (/^\s*(?:#|$)/.test(line)) isOurs = false;
    return !isOurs;
  });
}

function tableOf(text: string, name: keyof typeof TABLES): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() === TABLES[name]);
  if (first < 0) return "";
  const rest = lines.slice(first + 1);
  const end = rest.findIndex((line) => /^\s*\[/.test(line));
  return rest.slice(0, end < 0 ? undefined : end).join("\n");
}

function parseQuoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
