import { spawn } from "node:child_process";
import { access, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchPackages } from "./fetch-packages.ts";

const CODEX_VERSION = "0.166.0";

/** Returns the path of Codex's program, downloaded once into a cache outside the tree. */
export function fetchCodex(): Promise<string> {
  return fetchPackages({
    name: `codex-${CODEX_VERSION}`,
    packages: [`@openai/codex@${CODEX_VERSION}`],
    find: findBinary,
  });
}

async function findBinary(folder: string): Promise<string | null> {
  const scope = join(folder, "node_modules", "@openai");
  const names = await readdir(scope).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith("codex-"))) {
    const vendor = join(scope, name, "vendor");
    for (const target of await readdir(vendor).catch(() => [])) {
      const binary = join(vendor, target, "bin", "codex");
      const isThere = await access(binary).then(
        () => true,
        () => false,
      );
      if (isThere) return binary;
    }
  }
  return null;
}

export interface CodexRun {
  readonly home: string;
  readonly cwd: string;
  /** Command and arguments behind `codex`. */
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface CodexResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

const TIMEOUT_MS = 120_000;

/** Runs the real Codex with an environment that holds only what stands here. */
export async function runCodex({ home, cwd, words, environment = {} }: CodexRun): Promise<CodexResult> {
  const binary = await fetchCodex();
  await mkdir(join(home, ".codex"), { recursive: true });
  const child = spawn(binary, words, {
    cwd,
    env: {
      HOME: home,
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      CODEX_API_KEY: "made-up",
      OPENAI_API_KEY: "made-up",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  // Its own group, so that what it started ends with it.
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), TIMEOUT_MS);
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  return { exitCode, stdout, stderr, events: stdout.split("\n").flatMap(parseEvent) };
}

/** One prompt, in a new session or in the last one. */
export function askCodex(
  run: Omit<CodexRun, "words">,
  prompt: string,
  { isNext = false, trustsHooks = false }: { readonly isNext?: boolean; readonly trustsHooks?: boolean } = {},
): Promise<CodexResult> {
  const trust = trustsHooks ? ["--dangerously-bypass-hook-trust"] : [];
  const flags = ["exec", "--skip-git-repo-check", "--json", ...trust];
  return runCodex({ ...run, words: [...flags, ...(isNext ? ["resume", "--last"] : []), prompt] });
}

export interface CodexSettings {
  readonly url: string;
  /** By the provider that is built in, or by one of the person's own. */
  readonly provider: "built-in" | "own";
  readonly compactAtTokens?: number;
  readonly more?: string;
}

export async function configureCodex(
  home: string,
  { url, provider, compactAtTokens, more = "" }: CodexSettings,
): Promise<void> {
  await mkdir(join(home, ".codex"), { recursive: true });
  const own = `[model_providers.own]\nname = "own"\nbase_url = "${url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"`;
  const lines = [
    'model = "gpt-5.6"',
    'approval_policy = "never"',
    'sandbox_mode = "danger-full-access"',
    compactAtTokens === undefined ? "" : `model_auto_compact_token_limit = ${compactAtTokens}`,
    provider === "own" ? 'model_provider = "own"' : `openai_base_url = "${url}/v1"`,
    more,
    provider === "own" ? own : "",
  ];
  await writeFile(join(home, ".codex", "config.toml"), `${lines.join("\n")}\n`);
}

function parseEvent(line: string): readonly Readonly<Record<string, unknown>>[] {
  if (!line.startsWith("{")) return [];
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null ? [{ ...parsed }] : [];
  } catch {
    return [];
  }
}
