export interface Expanded {
  readonly text: string;
  /** Variables without a value and without a default. */
  readonly missing: readonly string[];
}

/** `${NAME}` and `${NAME:-default}`, as the client replaces them in a server's entry. */
export function expandVariables(text: string, environment: Readonly<Record<string, string | undefined>>): Expanded {
  const missing: string[] = [];
  const expanded = text.replace(/\$\{([^}]+)\}/g, (whole, inside: string) => {
    const [, name = "", fallback] = /^([^:]*)(?::-(.*))?$/s.exec(inside) ?? [];
    const value = environment[name] ?? fallback;
    if (value === undefined) missing.push(name);
    return value ?? whole;
  });
  return { text: expanded, missing };
}
