/** What an instruction file says about a project that can be looked up. */
export interface Mentions {
  /** As they are written, without line numbers. */
  readonly paths: readonly string[];
  /** `npm run NAME` and its relatives. */
  readonly scripts: readonly string[];
  /** `make NAME`. */
  readonly targets: readonly string[];
}

/** In backticks, as the target of a link, or bare. */
const CANDIDATE =
  /`([^`\n]{1,200})`|\]\(([^)\s]{1,200})\)|(?<![\w/.@-])((?:[\w.@-]{1,80}\/){1,20}[\w.@-]{1,80}\.\w{1,6})/g;
/** No word in it but path: no spaces, wildcards, placeholders, schemes, homes, flags. */
const PLAIN = /^(?:\.\/)?[\w.@][\w.@-]*(?:\/[\w.@-]+)+\/?$|^(?:\.\/)?[\w.@-]+\/$/;
const SCRIPT = /\b(?:npm|pnpm|yarn|bun) run (?:-{1,2}[\w-]+ )*([\w:.-]{1,80})/g;
const TARGET = /(?:^\s*(?:\$ )?|`)make ([a-z][\w.-]{0,60})/gm;

/** Paths only outside of fences, where they are examples; commands everywhere. */
export function listMentions(text: string): Mentions {
  const prose = text
    .split("```")
    .filter((_, index) => index % 2 === 0)
    .join("\n");
  const paths = [...prose.matchAll(CANDIDATE)].flatMap(([, quoted, linked, bare]) => {
    const path = (quoted ?? linked ?? bare ?? "").trim().replace(/[:#]L?\d[\d:,-]*$/, "");
    return isPath(path) ? [path] : [];
  });
  return {
    paths: [...new Set(paths)],
    scripts: listNames(text, SCRIPT),
    targets: listNames(text, TARGET),
  };
}

/**
 * With a folder in it: a bare name says what files are called, not where one is. Hidden folders belong to tools that make them
 * when they need them.
 */
function isPath(path: string): boolean {
  if (!PLAIN.test(path) || /^(?:@|\.(?!\/|\.\/|github\/))/.test(path)) return false;
  return path.endsWith("/") || /\.\w{1,6}$/.test(path);
}

function listNames(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name.replace(/[.:]+$/, "")))];
}
