import path from "node:path";

export interface MeasuredFile {
  readonly name: string;
  readonly text: string;
}

/** How large the source is, in the terms of the walls that may only shrink. */
export interface SourceSize {
  readonly lines: number;
  readonly files: number;
  /** Names that two or more files export, with the files. */
  readonly twins: ReadonlyMap<string, readonly string[]>;
  /** Files in each folder, without those in its folders. */
  readonly folders: ReadonlyMap<string, number>;
  /** `file name` of each function of more lines than are easy to hold. */
  readonly longFunctions: readonly string[];
}

const LONG_FUNCTION_LINES = 50;

/** The files of the contract that every host has, entry points that name again what others export, and what a build puts in the place of another file. */
const isContract = (name: string): boolean =>
  /^hosts\/[\w-]+\/|(?:^|\/)index\.ts$|^entry\/hook\/clients\/|^files\/(?:native|builder\/platform)-sha256/.test(name);

export function measureSource(files: readonly MeasuredFile[]): SourceSize {
  const exported = new Map<string, string[]>();
  const folders = new Map<string, number>();
  for (const { name, text } of files) {
    const folder = path.dirname(name);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
    if (isContract(name)) continue;
    for (const symbol of listExports(text)) exported.set(symbol, [...(exported.get(symbol) ?? []), name]);
  }
  return {
    lines: files.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0),
    files: files.length,
    twins: new Map([...exported].filter(([, names]) => names.length > 1)),
    folders,
    longFunctions: files.flatMap(({ name, text }) => listLongFunctions(text).map((symbol) => `${name} ${symbol}`)),
  };
}

function listExports(text: string): readonly string[] {
  const declared = text.matchAll(
    /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  );
  return [...new Set([...declared].map(([, name = ""]) => name))];
}

/** The formatter puts a function's last brace below the line that begins it, so that indentation tells where it ends. */
function listLongFunctions(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, from) => {
    const begun =
      /^(\s*)(?:export )?(?:default )?(?:async )?function\*? (\w+)/.exec(line) ??
      /^(\s*)(?:export )?const (\w+).*(?:=>|=>\s*\{|\($)/.exec(line) ??
      /^(\s+)(?:async )?(?!if|for|while|switch|catch|return)\*?(\w+)\(.*\{$/.exec(line);
    if (!begun) return [];
    const [, indent = "", name = ""] = begun;
    const to = lines.findIndex((one, index) => index > from && one.startsWith(`${indent}}`));
    const isOver = lines
      .slice(from + 1, to)
      .some((one) => one.trim() !== "" && !one.startsWith(`${indent} `) && !one.startsWith(`${indent})`));
    return to > 0 && !isOver && to - from + 1 > LONG_FUNCTION_LINES ? [name] : [];
  });
}
