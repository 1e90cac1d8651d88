export interface ReaderOptions {
  /** Letters of short options that take a value. */
  readonly valued?: string;
  /** Names of long options whose value is the next word. */
  readonly longValued?: readonly string[];
  /** The first operand is a pattern or a program, unless one of these options gave it. */
  readonly programOptions?: readonly string[];
  /** It descends into directories, always or with one of these options. */
  readonly treeOptions?: readonly string[] | "always";
  /** With one of these options it prints almost nothing. */
  readonly quietOptions?: readonly string[];
  /** With one of these it prints a number per file. */
  readonly countOptions?: readonly string[];
  /** Short options that take two values, such as jq's `--arg NAME VALUE`. */
  readonly twoValued?: readonly string[];
}

const split = (text: string): readonly string[] => text.split(/\s+/);
const each = <T>(names: string, options: T): readonly [string, T][] => split(names).map((name) => [name, options]);

const PLAIN_NAMES = `tac less more most strings hexdump hd comm rev expand unexpand tsort zcat gzcat bzcat xzcat zstdcat
  zless zmore hexyl json_pp pygmentize highlight glow mdcat look vis cat`;
/** Commands that need nothing but the letters of their valued options. */
const VALUED = `nl=bdfhilnsvw xxd=lscgo od=AjNtS sdiff=wI sort=ktoST uniq=fsw paste=d join=aejtvo12 fold=w fmt=wgp pr=lwhoN
  column=scoN shuf=no iconv=ft base64=w base32=w`;

const GREP: ReaderOptions = {
  valued: "efmABCdD",
  longValued: split("regexp file max-count after-context before-context context include exclude exclude-dir"),
  programOptions: split("e f regexp file"),
  treeOptions: split("r R recursive dereference-recursive"),
  quietOptions: split("q quiet silent"),
  countOptions: ["c", "count"],
};
const RIPGREP: ReaderOptions = {
  valued: "efgtTABCmMjdrE",
  longValued:
    split(`regexp file glob iglob type type-not after-context before-context context max-count max-columns max-depth
    threads replace encoding sort sortr color colors`),
  programOptions: split("e f regexp file files type-list"),
  treeOptions: "always",
  quietOptions: ["q", "quiet"],
};
const SED: ReaderOptions = {
  valued: "efl",
  longValued: ["expression", "file"],
  programOptions: split("e f expression file"),
  quietOptions: ["i", "in-place"],
};
const JQ: ReaderOptions = {
  valued: "fL",
  longValued: ["from-file", "indent"],
  programOptions: ["f", "from-file"],
  twoValued: split("arg argjson slurpfile rawfile"),
};

/** Commands that print the files named by their operands, whole or in part. */
export const READERS: ReadonlyMap<string, ReaderOptions> = new Map<string, ReaderOptions>([
  ...each(PLAIN_NAMES, {}),
  ...split(VALUED).map((entry): [string, ReaderOptions] => [
    entry.replace(/=.*/, ""),
    { valued: entry.replace(/.*=/, "") },
  ]),
  ...each("head tail", { valued: "ncs", longValued: split("lines bytes pid sleep-interval") }),
  ...each("bat batcat", { valued: "lrHm", longValued: split("language line-range highlight-line theme style") }),
  ...each("diff colordiff", { valued: "UCxXIWL", treeOptions: "always", quietOptions: ["q", "brief"] } as const),
  ...each("cut", { valued: "dfcb", longValued: ["delimiter", "fields"] }),
  ...each("grep egrep fgrep zgrep", GREP),
  ...each("rg ripgrep", RIPGREP),
  ...each("ag ack", { ...RIPGREP, valued: "ABCGmW", programOptions: [] }),
  ...each("sed gsed", SED),
  ...each("awk gawk mawk nawk", { valued: "Fvf", longValued: ["file", "assign"], programOptions: ["f", "file"] }),
  ...each("jq yq", JQ),
  ...each("fd fdfind", { valued: "eEtdSxXcj", programOptions: [], treeOptions: "always" } as const),
]);

/** Commands that list directories, and the options that make them list more than one level. */
export const LISTERS: ReadonlyMap<string, ReaderOptions> = new Map<string, ReaderOptions>([
  ["ls", { valued: "I", treeOptions: ["R", "recursive"] }],
  ...each("exa eza", { valued: "LsI", treeOptions: split("R T tree recurse") }),
  ["lsd", { valued: "I", longValued: ["depth"], treeOptions: split("R tree recursive") }],
  ["tree", { valued: "LPIoHT", longValued: ["filelimit", "charset"], treeOptions: "always" }],
  ["du", { valued: "dBtX", treeOptions: "always", quietOptions: split("s summarize d max-depth") }],
]);

/** The output of these does not grow with their input. */
export const COUNTERS: ReadonlySet<string> = new Set(
  "wc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5 b2sum cksum sum true : test [ cmp".split(" "),
);

/** Build, test and run commands. They pass whatever they name, and they consume their input. */
export const BUILDERS: ReadonlySet<string> = new Set(
  `npm pnpm yarn bun bunx npx corepack node deno tsx ts-node tsc esbuild vite webpack rollup parcel turbo nx lerna next nuxt
  jest vitest mocha ava playwright cypress eslint prettier biome make gmake cmake ninja meson bazel just task cargo rustc
  rustup go gofmt gcc g++ clang cc ld python python3 py pip pip3 pipx uv poetry pytest tox mypy ruff black ruby bundle rake
  gem rspec php composer phpunit java javac mvn gradle ./gradlew ./mvnw kotlinc dotnet msbuild swift xcodebuild docker
  docker-compose podman kubectl helm terraform ansible psql mysql sqlite3 redis-cli ssh tsh scp rsync curl wget tar zip unzip
  gzip gunzip patch rm rmdir mkdir touch chmod chown ln read gh`.split(/\s+/),
);

/** Commands that run another command: the letters of their valued options, and how many operands of their own come before it. */
export const WRAPPERS: ReadonlyMap<string, { readonly valued: string; readonly operands: number }> = new Map(
  split(`env=uCS sudo=ughpCTDrtR doas=uC xargs=InPLdEsa gxargs=InPLdEsa nice=n ionice=cnp timeout=ks+1 gtimeout=ks+1
    stdbuf=ioe time=fo exec=a watch=n strace=eopsu flock=wE+1 chroot=+1 command= builtin= nohup= setsid= busybox= toybox=
    unbuffer= chronic= caffeinate= catchsegv=`).map((entry) => {
    const [, name = "", valued = "", operands] = /^(\w+)=(\w*)(?:\+(\d))?$/.exec(entry) ?? [];
    return [name, { valued, operands: Number(operands ?? 0) }];
  }),
);

export const SHELLS: ReadonlySet<string> = new Set("sh bash zsh dash ksh ash fish rbash su script".split(" "));

export interface Arguments {
  readonly operands: readonly string[];
  /** Names of the given options, short and long, without dashes. */
  readonly options: ReadonlySet<string>;
  readonly values: readonly (readonly [name: string, value: string])[];
}

/** Splits the words after a command's name as getopt does: options may appear anywhere before `--`. */
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
  /** Set if the value is attached to the letter, as in `-n5`; otherwise the next word is the value. */
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

/** Leaves a long text as it is and cuts a long replacement, so that repeated replacement cannot blow up. */
export function replaceShort(text: string, pattern: RegExp, by: (all: string, name: string) => string): string {
  if (text.length > 4096) return text;
  return text.replace(pattern, (all: string, name: string) => by(all, name).slice(0, 1024));
}
