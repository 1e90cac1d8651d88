/**
 * Side constraints of COMPINT (arXiv 2608.11242), each put into a prompt of a recorded session: is it word for word in what the model
 * reads at the end, after the prompt has left the window? Module, gateway and library, as replay drives them. The constraints are read
 * in place from `../shared/outside`. `--repositories=N` and `--requests=N` shorten the run; `--paths=NAME,...` chooses entry points.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isObject, listField, parseJson, textField } from "../../src/core/json.ts";
import { type Message, renderResultText, type TextBlock } from "../../src/core/message.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { estimateTextTokens, tokenizerOf } from "../../src/models/tokens.ts";
import { findNeeds } from "../../src/replay/needs.ts";
import { NOTHING_TO_DO } from "../../src/replay/policy.ts";
import { prepareSession } from "../../src/replay/prepare-session.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { walkRequests } from "../../src/replay/walk-session.ts";
import { gatewayEntryPoints } from "../replay/entry/gateway.ts";
import { libraryEntryPoint } from "../replay/entry/library.ts";
import { moduleEntryPoint } from "../replay/entry/module/replay-module.ts";
import type { EntryPoint } from "../replay/entry-point.ts";
import { CORPUS, listCorpus } from "./corpus.ts";

const CONSTRAINTS = path.join(CORPUS, "../outside/compint/constraints.json");
/** How many characters longer each prompt is made, by outputs of its own session. */
const LONGER = [0, 5_000, 16_000];
const PATHS = [moduleEntryPoint, ...gatewayEntryPoints.slice(0, 1), libraryEntryPoint];
const LEAST_REQUESTS = 30;
const LEDGER_SIGN = "[LEDGER: ";
const RULES_BLOCK = /The user's standing rules, newest first:(?:\n\s*- .*)+/;

interface Bill {
  probes: number;
  kept: number;
  readonly lost: string[];
  blockTokens: number;
}

export async function run(options: readonly string[] = []): Promise<void> {
  if (!existsSync(CONSTRAINTS)) {
    console.log(`No constraints to read in ${CONSTRAINTS}.`);
    return;
  }
  const value = (name: string): string | undefined =>
    options.find((option) => option.startsWith(`--${name}=`))?.slice(name.length + 3);
  const constraints = readConstraints();
  const sessions = chooseSessions(Number(value("repositories") ?? 12), Number(value("requests") ?? 140));
  const wanted = value("paths")?.split(",");
  console.log("| entry point | as recorded | 5,000 longer | 16,000 longer | largest block | ledger and record |");
  console.log("|---|---|---|---|---|---|");
  for (const entryPoint of PATHS.filter(({ name }) => wanted?.includes(name) ?? true)) {
    const shares: number[] = [];
    const bills: Bill[] = [];
    for (const longer of LONGER) {
      const bill: Bill = { probes: 0, kept: 0, lost: [], blockTokens: 0 };
      bills.push(bill);
      for (const [at, session] of sessions.entries()) {
        const constraint = constraints[(at * LONGER.length + LONGER.indexOf(longer)) % constraints.length] ?? "";
        const probe = insert(session, constraint, longer);
        if (probe) await ask(entryPoint, { ...probe, constraint }, bill, longer === 0 ? shares : undefined);
      }
    }
    const block = Math.max(...bills.map(({ blockTokens }) => blockTokens));
    const share = shares.reduce((sum, each) => sum + each, 0) / Math.max(1, shares.length);
    const columns = bills.map(({ kept, probes }) => `${kept} of ${probes}`);
    console.log(
      `| ${entryPoint.name} | ${columns.join(" | ")} | ${Math.ceil(block)} tokens | ${(100 * share).toFixed(2)} % of the window |`,
    );
    for (const { lost } of bills) for (const each of lost) console.log(`  lost: ${each}`);
  }
}

function readConstraints(): readonly string[] {
  const given: unknown = parseJson(readFileSync(CONSTRAINTS, "utf8"));
  const list = isObject(given) ? listField(given, "constraints").filter(isObject) : [];
  return list.map((each) => textField(each, "sssc"));
}

const PER_REPOSITORY = 2;

/** The longest sessions of each repository with prompts to choose from, cut so that the run takes minutes. */
function chooseSessions(repositories: number, requests: number): readonly ReplaySession[] {
  const files = [...listCorpus()].sort((one, other) => statSync(other).size - statSync(one).size);
  const names = [...new Set(files.map((file) => path.basename(path.dirname(file))))].sort().slice(0, repositories);
  return names.flatMap((name) => {
    const found: ReplaySession[] = [];
    for (const file of files.filter((each) => path.basename(path.dirname(each)) === name)) {
      const { recording } = readRecording(file);
      const session = prepareSession({ name, recording, brokenLines: 0, root: "", vocabulary: claudeCodeVocabulary });
      if ("why" in session) continue;
      // What a person had the client summarise, a model's summary keeps or loses, whoever sits between the two.
      const asked = session.compactions.find(({ trigger }) => trigger === "manual")?.step ?? requests;
      const steps = session.steps.slice(0, Math.min(requests, asked - 1));
      const cut = { ...session, steps };
      if (steps.length >= LEAST_REQUESTS && listTyped(cut).length > 0) found.push(cut);
      if (found.length === PER_REPOSITORY) break;
    }
    return found;
  });
}

interface Probe {
  readonly session: ReplaySession;
  /** The prompt with the constraint in it. */
  readonly prompt: string;
  readonly constraint: string;
}

/** The session with a constraint in one of its prompts: behind a short one, in the middle of a long one. Undefined if nobody typed anything. */
function insert(session: ReplaySession, constraint: string, longer: number): Omit<Probe, "constraint"> | undefined {
  const typed = listTyped(session);
  const chosen = typed[Math.floor(typed.length / 2)];
  if (!chosen) return undefined;
  const outputs = session.steps.flatMap(({ joined }) =>
    joined.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === "toolResult" ? [renderResultText(block)] : [])),
    ),
  );
  const paste = outputs.join("\n").slice(0, longer);
  const [before, behind] = [paste.slice(0, longer / 2), paste.slice(longer / 2)];
  const prompt = [chosen.text, before, constraint, behind].filter((part) => part !== "").join("\n\n");
  const replace = (message: Message): Message =>
    message.blocks.includes(chosen)
      ? { ...message, blocks: message.blocks.map((block) => (block === chosen ? { ...chosen, text: prompt } : block)) }
      : message;
  const steps = session.steps.map((step) => ({ ...step, joined: step.joined.map(replace) }));
  return { session: { ...session, steps }, prompt };
}

/** Prompts after the first request and before the middle, so that they can leave. */
function listTyped({ steps }: ReplaySession): readonly TextBlock[] {
  const early = steps.slice(1, Math.floor(steps.length / 2));
  return early.flatMap(({ joined }) => joined.flatMap(({ blocks }) => blocks.filter(isTyped)));
}

function isTyped(block: Message["blocks"][number]): block is TextBlock {
  return block.kind === "text" && block.author === "person" && block.text.length > 8 && !/^\s*[</]/.test(block.text);
}

async function ask(
  entryPoint: EntryPoint,
  { session, prompt, constraint }: Probe,
  bill: Bill,
  shares?: number[],
): Promise<void> {
  const subject = { session, needs: findNeeds(session) };
  const opened = await entryPoint.open(subject, entryPoint.life);
  let view: readonly Message[] = [];
  const weigh = (text: string): number => estimateTextTokens(text, tokenizerOf(session.steps[0]?.model ?? ""));
  try {
    const walk = walkRequests(subject, { life: entryPoint.life });
    for (let next = walk.next(NOTHING_TO_DO); !next.done; ) {
      const decision = await opened.plan(next.value);
      view = decision.view ?? next.value.messages;
      const ledger = listTexts(view).filter((text) => text.includes(LEDGER_SIGN) || RULES_BLOCK.test(text));
      if (ledger.length > 0) shares?.push(ledger.reduce((sum, text) => sum + weigh(text), 0) / session.windowTokens);
      next = walk.next(decision);
    }
  } finally {
    await opened.close();
  }
  const texts = listTexts(view);
  for (const text of texts) bill.blockTokens = Math.max(bill.blockTokens, weigh(RULES_BLOCK.exec(text)?.[0] ?? ""));
  // Counted once the prompt itself has left.
  if (texts.includes(prompt) || !texts.some((text) => text.includes(LEDGER_SIGN))) return;
  bill.probes++;
  if (texts.some((text) => text.includes(constraint))) bill.kept++;
  else bill.lost.push(`${session.name}: ${constraint}`);
}

function listTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])));
}
