/** How a command that prints files takes its arguments. */
export interface ReaderOptions {
  /** Letters of short options that are followed by a value. */
  readonly valued?: string;
  /** Names of long options that are followed by a value as a word of its own. */
  readonly longValued?: readonly string[];
  /** The first operand is a pattern or a program, unless one of these options gave it. */
  readonly programOptions?: readonly string[];
  /** It goes down into directories by itself, or with one of these options. */
  readonly treeOptions?: readonly string[] | "always";
  /** With one of these it prints next to nothing. */
  readonly quietOptions?: readonly string[];
  /** Short options that take two values, such as jq's `--arg NAME VALUE`. */
  readonly twoValued?: readonly string[];
}

const PLAIN_NAMES = `tac less more most strings hexdump hd comm rev expand unexpand tsort zcat gzcat bzcat xzcat zstdcat
  zless zmore hexyl json_pp pygmentize highlight glow mdcat look vis cat`;

const GREP: ReaderOptions = {
  valued: "efmABCdD",
  longValued: [
    "regexp",
    "file",
    "max-count",
    "after-context",
    "before-context",
    "context",
    "include",
    "exclude",
    "exclude-dir",
  ],
  programOptions: ["e", "f", "regexp", "file"],
  treeOptions: ["r", "R", "recursive", "dereference-recursive"],
  quietOptions: ["q", "quiet", "silent"],
};
const RIPGREP: ReaderOptions = {
  valued: "efgtTABCmMjdrE",
  longValued: [
    ...["regexp", "file", "glob", "iglob", "type", "type-not", "after-context", "before-context", "context"],
    ...["max-count", "max-columns", "max-depth", "threads", "replace", "encoding", "sort", "sortr", "color", "colors"],
  ],
  programOptions: ["e", "f", "regexp", "file", "files", "type-list"],
  treeOptions: "always",
  quietOptions: ["q", "quiet"],
};
const AG: ReaderOptions = { ...RIPGREP, valued: "ABCGmW", programOptions: [] };
const AWK: ReaderOptions = { valued: "Fvf", longValued: ["file", "assign"], programOptions: ["f", "file"] };
const JQ: ReaderOptions = {
  valued: "fL",
  longValued: ["from-file", "indent"],
  programOptions: ["f", "from-file"],
  twoValued: ["arg", "argjson", "slurpfile", "rawfile"],
};
const ENDS: ReaderOptions = { valued: "ncs", longValued: ["lines", "bytes", "pid", "sleep-interval"] };

/** Commands whose operands are files that they print, whole or in part. */
export const READERS: ReadonlyMap<string, ReaderOptions> = new Map<string, ReaderOptions>([
  ...PLAIN_NAMES.split(/\s+/).map((name): [string, ReaderOptions] => [name, {}]),
  ["head", ENDS],
  ["tail", ENDS],
  ["nl", { valued: "bdfhilnsvw" }],
  ["bat", { valued: "lrHm", longValued: ["language", "line-range", "highlight-line", "theme", "style"] }],
  ["batcat", { valued: "lrHm", longValued: ["language", "line-range", "highlight-line", "theme", "style"] }],
  ["xxd", { valued: "lscgo" }],
  ["od", { valued: "AjNtS" }],
  ["diff", { valued: "UCxXIWL", treeOptions: "always", quietOptions: ["q", "brief"] }],
  ["colordiff", { valued: "UCxXIWL", treeOptions: "always", quietOptions: ["q", "brief"] }],
  ["sdiff", { valued: "wI" }],
  ["sort", { valued: "ktoST" }],
  ["uniq", { valued: "fsw" }],
  ["cut", { valued: "dfcb", longValued: ["delimiter", "fields"] }],
  ["paste", { valued: "d" }],
  ["join", { valued: "aejtvo12" }],
  ["fold", { valued: "w" }],
  ["fmt", { valued: "wgp" }],
  ["pr", { valued: "lwhoN" }],
  ["column", { valued: "scoN" }],
  ["shuf", { valued: "no" }],
  ["iconv", { valued: "ft" }],
  ["base64", { valued: "w" }],
  ["base32", { valued: "w" }],
  ["grep", GREP],
  ["egrep", GREP],
  ["fgrep", GREP],
  ["zgrep", GREP],
  ["rg", RIPGREP],
  ["ripgrep", RIPGREP],
  ["ag", AG],
  ["ack", AG],
  [
    "sed",
    {
      valued: "efl",
      longValued: ["expression", "file"],
      programOptions: ["e", "f", "expression", "file"],
      quietOptions: ["i", "in-place"],
    },
  ],
  [
    "gsed",
    {
      valued: "efl",
      longValued: ["expression", "file"],
      programOptions: ["e", "f", "expression", "file"],
      quietOptions: ["i", "in-place"],
    },
  ],
  ["awk", AWK],
  ["gawk", AWK],
  ["mawk", AWK],
  ["nawk", AWK],
  ["jq", JQ],
  ["yq", JQ],
  ["fd", { valued: "eEtdSxXcj", programOptions: [], treeOptions: "always" }],
  ["fdfind", { valued: "eEtdSxXcj", programOptions: [], treeOptions: "always" }],
]);

/** Commands that list, and the options with which they list more than one level. */
export const LISTERS: ReadonlyMap<string, ReaderOptions> = new Map<string, ReaderOptions>([
  ["ls", { valued: "I", treeOptions: ["R", "recursive"] }],
  ["exa", { valued: "LsI", treeOptions: ["R", "T", "tree", "recurse"] }],
  ["eza", { valued: "LsI", treeOptions: ["R", "T", "tree", "recurse"] }],
  ["lsd", { valued: "I", longValued: ["depth"], treeOptions: ["R", "tree", "recursive"] }],
  ["tree", { valued: "LPIoHT", longValued: ["filelimit", "charset"], treeOptions: "always" }],
  ["du", { valued: "dBtX", treeOptions: "always", quietOptions: ["s", "summarize", "d", "max-depth"] }],
]);

/** What these print does not grow with what they are given. */
export const COUNTERS: ReadonlySet<string> = new Set(
  "wc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5 b2sum cksum sum true : test [ cmp".split(" "),
);

/** Building, testing and running: they pass whatever they name, and what is fed to them is theirs. */
export const BUILDERS: ReadonlySet<string> = new Set(
  `npm pnpm yarn bun bunx npx corepack node deno tsx ts-node tsc esbuild vite webpack rollup parcel turbo nx lerna next nuxt
  jest vitest mocha ava playwright cypress eslint prettier biome make gmake cmake ninja meson bazel just task cargo rustc
  rustup go gofmt gcc g++ clang cc ld python python3 py pip pip3 pipx uv poetry pytest tox mypy ruff black ruby bundle rake
  gem rspec php composer phpunit java javac mvn gradle ./gradlew ./mvnw kotlinc dotnet msbuild swift xcodebuild docker
  docker-compose podman kubectl helm terraform ansible psql mysql sqlite3 redis-cli ssh tsh scp rsync curl wget tar zip unzip
  gzip gunzip patch rm rmdir mkdir touch chmod chown ln read gh`.split(/\s+/),
);

/** Commands that run the command behind them: letters of valued options, and operands of their own in front of it. */
export const WRAPPERS: ReadonlyMap<string, { readonly valued: string; readonly operands: number }> = new Map([
  ["env", { valued: "uCS", operands: 0 }],
  ["sudo", { valued: "ughpCTDrtR", operands: 0 }],
  ["doas", { valued: "uC", operands: 0 }],
  ["xargs", { valued: "InPLdEsa", operands: 0 }],
  ["gxargs", { valued: "InPLdEsa", operands: 0 }],
  ["nice", { valued: "n", operands: 0 }],
  ["ionice", { valued: "cnp", operands: 0 }],
  ["timeout", { valued: "ks", operands: 1 }],
  ["gtimeout", { valued: "ks", operands: 1 }],
  ["stdbuf", { valued: "ioe", operands: 0 }],
  ["time", { valued: "fo", operands: 0 }],
  ["exec", { valued: "a", operands: 0 }],
  ["watch", { valued: "n", operands: 0 }],
  ["strace", { valued: "eopsu", operands: 0 }],
  ["flock", { valued: "wE", operands: 1 }],
  ["chroot", { valued: "", operands: 1 }],
  ...[
    "command",
    "builtin",
    "nohup",
    "setsid",
    "busybox",
    "toybox",
    "unbuffer",
    "chronic",
    "caffeinate",
    "catchsegv",
  ].map((name): [string, { readonly valued: string; readonly operands: number }] => [
    name,
    { valued: "", operands: 0 },
  ]),
]);

export const SHELLS: ReadonlySet<string> = new Set("sh bash zsh dash ksh ash fish rbash su script".split(" "));

export interface Arguments {
  readonly operands: readonly string[];
  /** Names of the options that were given, short and long, without dashes. */
  readonly options: ReadonlySet<string>;
  /** Their values, as pairs of name and value. */
  readonly values: readonly (readonly [name: string, value: string])[];
}

/** A command's words behind its name, as getopt takes them apart: options may stand anywhere before `--`. */
export function parseArguments(
  words: readonly string[],
  { valued = "", longValued = [], twoValued = [] }: ReaderOptions,
): Arguments {
  const operands: string[] = [];
  const options = new Set<string>();
  const values: [string, string][] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      for (let rest = at + 1; rest < words.length; rest++) operands.push(words[rest] ?? "");
      break;
    }
    if (word.startsWith("--")) {
      const equals = word.indexOf("=");
      const name = word.slice(2, equals < 0 ? undefined : equals);
      options.add(name);
      if (equals >= 0) values.push([name, word.slice(equals + 1)]);
      else if (longValued.includes(name)) values.push([name, words[++at] ?? ""]);
      else if (twoValued.includes(name)) at += 2;
    } else if (word.startsWith("-") && word !== "-") {
      const cluster = parseCluster(word, valued);
      for (const letter of cluster.letters) options.add(letter);
      if (cluster.valuedBy !== undefined) values.push([cluster.valuedBy, cluster.value ?? words[++at] ?? ""]);
    } else operands.push(word);
  }
  return { operands, options, values };
}

interface Cluster {
  readonly letters: string;
  readonly valuedBy?: string;
  /** Where it hangs on the letter, as in `-n5`; otherwise the next word is the value. */
  readonly value?: string;
}

export function parseCluster(word: string, valued: string): Cluster {
  const at = word
    .slice(1, 64)
    .split("")
    .findIndex((letter) => valued.includes(letter));
  if (at < 0) return { letters: word.slice(1, 64) };
  const valuedBy = word[at + 1] ?? "";
  const attached = word.slice(at + 2);
  return { letters: word.slice(1, at + 2), valuedBy, ...(attached === "" ? {} : { value: attached }) };
}

/** Replaces within reason: a long text stays as it is, and a long replacement is cut, so that nothing multiplies. */
export function replaceShort(text: string, pattern: RegExp, by: (all: string, name: string) => string): string {
  if (text.length > 4096) return text;
  return text.replace(pattern, (all: string, name: string) => by(all, name).slice(0, 1024));
}
