import { clipText } from "../../core/clip-text.ts";

/** A file is told by so many of the names in it. */
const MAX_NAMES = 8;
const MAX_NAMES_CHARACTERS = 160;
const MAX_NAME_CHARACTERS = 40;
/** What has fewer names is told by its first line. */
const LEAST_NAMES = 2;
const SEARCHED_CHARACTERS = 60_000;

const DECLARED =
  /^(?:(?:export|default|pub(?:\(\w+\))?|public|private|protected|static|abstract|override|async|final|declare) +)*(?:function\*?|class|interface|enum|struct|trait|def|fn|func(?: \([^)\n]{1,60}\))?|module|namespace|type|record) +([\w$]{1,80})/gm;
const EXPORTED = /^export (?:const|let|var) ([\w$]{1,80})/gm;
const SHELL_FUNCTION = /^([\w-]{1,60}) ?\(\) ?\{/gm;
const HEADING = /^(#{1,3} \S.{0,80})$/gm;
/** At the least depth that such files have: none, or that of the members of one object. */
const KEY = /^(?: {2}|\t)?"([^"\n]{1,60})" ?:|^([\w.-]{1,60}):(?= |$)|^\[{1,2}([\w."-]{1,60})\]/gm;

const PROSE = /\.(?:md|mdx|markdown|rst|txt)$/i;
const SETTINGS = /\.(?:json|jsonc|ya?ml|toml|ini)$/i;

/** What a file declares, by name: its functions and types, its headings, its keys. Empty where there is next to nothing. */
export function listNames(content: string, path: string): string {
  const text = content.slice(0, SEARCHED_CHARACTERS);
  const patterns = PROSE.test(path) ? [HEADING] : SETTINGS.test(path) ? [KEY] : [DECLARED, EXPORTED, SHELL_FUNCTION];
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
  const inOrder = found.sort((one, other) => one.index - other.index);
  const names = [...new Set(inOrder.map(([, ...groups]) => groups.find((group) => group !== undefined) ?? ""))];
  if (names.length < LEAST_NAMES) return "";
  const shown = names.slice(0, MAX_NAMES).map((name) => clipText(name.trim(), MAX_NAME_CHARACTERS));
  while (shown.length > LEAST_NAMES && shown.join(", ").length > MAX_NAMES_CHARACTERS) shown.pop();
  return `${shown.join(", ")}${shown.length < names.length ? `, … (${names.length})` : ""}`;
}
