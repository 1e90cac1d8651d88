import type { Arrival } from "../../core/event.ts";
import type { SkippedInstruction } from "../../files/instruction-files.ts";
import type { Definitions, ServerConfig } from "../../hosts/baseline.ts";
import { predictTokens, seedCalibration } from "../../measure/calibration.ts";
import { weighArrival } from "../../measure/load.ts";
import type { Recording } from "../../measure/recording.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import type { MonthlyPrice } from "./price-carry.ts";
import type { Base } from "./weigh-base.ts";
import type { WeighedTools } from "./weigh-tools.ts";

/** What every request of a project carries before the first prompt. */
export interface StartupContext {
  /** Only those that the client loads. Ranked: the first to remove comes first. */
  readonly servers: readonly AuditedServer[];
  readonly files: WeighedFiles;
  /** `undefined` if no session is recorded. */
  readonly first: FirstRequest | undefined;
  readonly loading: Loading;
  readonly windowTokens: number;
  readonly price: (tokens: number) => MonthlyPrice;
}

export interface AuditedServer
  extends Pick<ServerConfig, "name" | "scope" | "file" | "isDisabled" | "isApproved">,
    Omit<WeighedTools, "tools"> {
  readonly status: "measured" | "failed" | "notMeasured";
  readonly why: string | undefined;
  readonly lastError: string | undefined;
  readonly tools: number;
  readonly schemas: WeighedTools["tools"];
  readonly instructionTokens: number;
  /** In every request, as the client loads it here. */
  readonly tokens: number;
  readonly calls: number;
  readonly sessions: number;
}

export interface WeighedFiles extends Definitions {
  readonly instructions: readonly WeighedInstruction[];
  /** Rules that load for some paths only; they are not counted. */
  readonly scopedRules: readonly string[];
  readonly memoryTokens: number;
  readonly skippedFiles: readonly SkippedInstruction[];
}

export interface WeighedInstruction {
  readonly path: string;
  readonly scope: string;
  readonly lines: number;
  readonly characters: number;
  readonly tokens: number;
  /** Tokens of the lines beyond the recommended length of a file. */
  readonly excessTokens: number;
  readonly importedBy: string | undefined;
}

export interface FirstRequest {
  readonly model: string;
  readonly contextTokens: number;
  /** The user's words and attachments. */
  readonly promptTokens: number;
  /** Everything else: what is paid before the conversation starts. */
  readonly baseTokens: number;
  /** The recorded parts of the rest, by kind, e.g. `skill_listing`; estimates. */
  readonly listings: Readonly<Record<string, number>>;
  /** MCP tools of which only the name was sent. */
  readonly deferredTools: readonly string[];
}

/** Files that the user named; they are not part of the baseline. */
const ASKED_FOR: ReadonlySet<string> = new Set(["file", "directory", "queued_command", "edited_text_file"]);

/** `undefined` if the record begins in the middle of a conversation or has no usage, because then it says nothing about a start. */
export function findFirstRequest({ steps }: Recording): FirstRequest | undefined {
  const [first] = steps;
  if (!first?.usage || first.window > 0 || first.contextTokens === 0) return undefined;
  if (first.arrivals.some(({ source }) => source === "toolResult" || source === "summary")) return undefined;
  const tokenizer = tokenizerOf(first.model);
  const weigh = (arrival: Arrival): number =>
    predictTokens(weighArrival(arrival, tokenizer), seedCalibration(tokenizer));
  const isAskedFor = ({ source, label }: Arrival): boolean =>
    source === "prompt" || (source === "attachment" && ASKED_FOR.has(label));
  const promptTokens = first.arrivals.filter(isAskedFor).reduce((sum, arrival) => sum + weigh(arrival), 0);
  const listings: Record<string, number> = {};
  const deferred = new Set<string>();
  for (const arrival of first.arrivals) {
    if (isAskedFor(arrival) || arrival.block.kind !== "text" || arrival.block.text === "") continue;
    listings[arrival.label] = (listings[arrival.label] ?? 0) + weigh(arrival);
    if (arrival.label === "deferred_tools_delta")
      for (const [name] of arrival.block.text.matchAll(/\bmcp__[\w-]+/g)) deferred.add(name);
  }
  return {
    model: first.model,
    contextTokens: first.contextTokens,
    promptTokens,
    baseTokens: Math.max(0, first.contextTokens - promptTokens),
    listings,
    deferredTools: [...deferred],
  };
}

export type Loading = "loaded" | "deferred" | "unknown";

/** How MCP tools are loaded. Names in the record prove that schemas were left out, and so does a request smaller than all schemas together. */
export function decideLoading(first: FirstRequest | undefined, loadedTokens: number): Loading {
  if (!first) return "unknown";
  if (first.deferredTools.length > 0 || first.baseTokens < loadedTokens) return "deferred";
  // A client that keeps a list of deferred tools with none of a server's in it sends that server's tools whole.
  return "loaded";
}

export function sumOf<K extends string>(items: readonly Readonly<Record<K, number>>[], field: K): number {
  return items.reduce((sum, item) => sum + item[field], 0);
}

export interface BaselinePart {
  readonly part: string;
  readonly tokens: number;
  /** `recorded` in the first request, or measured from the `servers` and `files` as they are now. */
  readonly source: "recorded" | "servers" | "files";
}

const KNOWN: ReadonlySet<string> = new Set([
  "deferred_tools_delta",
  "mcp_instructions_delta",
  "agent_listing_delta",
  "skill_listing",
]);

/** The record wins over files and servers, because it is what was sent. Empty parts are left out. */
export function listParts(
  { servers, files, first, loading }: StartupContext,
  { sections, tools }: Pick<Base, "sections" | "tools">,
): readonly BaselinePart[] {
  const listings = first?.listings ?? {};
  const from = (part: string, kind: string, source: "servers" | "files", tokens: number): BaselinePart => {
    const recorded = listings[kind];
    return recorded === undefined ? { part, source, tokens } : { part, source: "recorded", tokens: recorded };
  };
  const loadedTokens = loading === "deferred" ? 0 : sumOf(servers, "loadedTokens");
  const nameTokens = loading === "deferred" ? sumOf(servers, "deferredTokens") : 0;
  const front = tools.filter(({ place }) => place === "front");
  const [ofServers, builtIn] = [true, false].map((is) => front.filter(({ name }) => name.startsWith("mcp__") === is));
  return [
    { part: "system prompt", source: "recorded" as const, tokens: sumOf(sections, "tokens") },
    { part: "built-in tools", source: "recorded" as const, tokens: sumOf(builtIn ?? [], "tokens") },
    front.length > 0
      ? { part: "MCP tool schemas", source: "recorded" as const, tokens: sumOf(ofServers ?? [], "tokens") }
      : { part: "MCP tool schemas", source: "servers" as const, tokens: loadedTokens },
    from("names of deferred tools", "deferred_tools_delta", "servers", nameTokens),
    from("MCP server instructions", "mcp_instructions_delta", "servers", sumOf(servers, "instructionTokens")),
    from("agent listing", "agent_listing_delta", "files", sumOf(files.agents, "listingTokens")),
    from("skill listing", "skill_listing", "files", sumOf(files.skills, "listingTokens")),
    { part: "instruction files and rules", source: "files" as const, tokens: sumOf(files.instructions, "tokens") },
    { part: "memory index", source: "files" as const, tokens: files.memoryTokens },
    ...Object.entries(listings)
      .filter(([kind]) => !KNOWN.has(kind))
      .map(([kind, tokens]) => ({ part: kind, source: "recorded" as const, tokens })),
  ].filter(({ tokens }) => tokens > 0);
}

const TOKENS_PER_TOOL = 500;
const TOKENS_PER_AGENT = 300;

/** The rule of thumb. It ignores the client's own prompt and tools, and the real size of schemas. */
export function estimateByFormula({ servers, files }: StartupContext): number {
  const tools = sumOf(servers, "tools");
  return tools * TOKENS_PER_TOOL + files.agents.length * TOKENS_PER_AGENT + sumOf(files.instructions, "tokens");
}
