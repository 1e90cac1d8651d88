import path from "node:path";
import type { Terminal } from "../command.ts";

/** How a client is told where its API is. */
export interface Addressed {
  /** Where its requests would have gone; the usual place where nothing says. */
  readonly upstream: string | undefined;
  readonly words: (url: string) => readonly string[];
  readonly environment: (url: string) => Readonly<Record<string, string>>;
}

/** Codex is told in its own words; everybody else reads a variable. Whoever has set an address already means that API. */
export function addressClient(
  program: string,
  words: readonly string[],
  environment: Terminal["environment"],
): Addressed {
  const name = path.basename(program).replace(/\.(?:exe|cmd|js)$/, "");
  if (name === "codex")
    return {
      upstream: environment.OPENAI_BASE_URL || "https://api.openai.com/v1",
      words: (url) => ["-c", `openai_base_url="${url}"`, ...words],
      environment: () => ({}),
    };
  return {
    upstream: environment.ANTHROPIC_BASE_URL || undefined,
    words: () => words,
    environment: (url) => ({ ANTHROPIC_BASE_URL: url }),
  };
}
