/** If red: dollars of public sessions differ from an independent sum, or from what a client recorded. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { CORPUS } from "../lab/bench/corpus.ts";
import { priceExported } from "../lab/bench/second-pricer.ts";
import { collectUsage, findTranscripts } from "../src/entry/cli/collect-usage.ts";
import { billRequests } from "../src/models/economics/bill.ts";
import { createFakeTerminal, runPlimsoll } from "./support/fake-terminal.ts";
import { needs, withCorpus } from "./support/needs.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const { name } = createTemporaryFolder();
const HOSTS = path.resolve(CORPUS, "../hosts");
const withHosts = needs(existsSync(HOSTS), "no recorded sessions of other hosts beside the project");

interface Line {
  readonly type?: string;
  readonly timestamp?: string;
  readonly isApiErrorMessage?: boolean;
  readonly data?: { readonly message?: Line };
  readonly message?: { readonly id: string; readonly model: string; readonly usage?: RecordedUsage };
}

interface RecordedUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number };
}

interface Answer {
  readonly model: string;
  readonly day: string;
  readonly usage: RecordedUsage;
}

/** Each answer once, by its id, with the last of its lines and the largest output that any of them has. Nothing of `src` is used. */
function readAnswers(): readonly Answer[] {
  const answers = new Map<string, Answer>();
  for (const file of readdirSync(CORPUS, { recursive: true, encoding: "utf8" }).sort()) {
    if (!file.endsWith(".jsonl")) continue;
    for (const text of readFileSync(path.join(CORPUS, file), "utf8").split("\n")) {
      const line = parseLine(text);
      const said = line?.type === "progress" ? line.data?.message : line;
      const { message } = said ?? {};
      if (said?.type !== "assistant" || !message?.usage || said.isApiErrorMessage) continue;
      if (message.model === "<synthetic>") continue;
      const known = answers.get(message.id);
      const output = Math.max(known?.usage.output_tokens ?? 0, message.usage.output_tokens);
      const day = known?.day ?? (said.timestamp ?? line?.timestamp ?? "").slice(0, 10);
      answers.set(message.id, { model: message.model, day, usage: { ...message.usage, output_tokens: output } });
    }
  }
  return [...answers.values()];
}

function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request as the second pricer takes it. */
function render({ model, day, usage }: Answer): string {
  const written = usage.cache_creation_input_tokens ?? 0;
  const written1h = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const read = usage.cache_read_input_tokens ?? 0;
  const tokens = { read, written5m: written - written1h, written1h, output: usage.output_tokens };
  return `${JSON.stringify({ model, day, input: usage.input_tokens, ...tokens })}\n`;
}

function group<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const own = groups.get(keyOf(item)) ?? [];
    own.push(item);
    groups.set(keyOf(item), own);
  }
  return groups;
}

/** What the program says, group by group, over one reading of all files. */
async function billGroups(): Promise<ReadonlyMap<string, number>> {
  const terminal = createFakeTerminal({ environment: { HOME: name("") } });
  const { scanned } = await collectUsage(findTranscripts([CORPUS], terminal), terminal);
  const groups = group(
    scanned.flatMap(({ ownSteps }) => ownSteps),
    ({ atMs = 0, model }) => `${new Date(atMs).toISOString().slice(0, 10)} ${model}`,
  );
  return new Map([...groups].map(([key, steps]) => [key, billRequests(steps).spend.totalUsd]));
}

async function askStats(words: readonly string[]) {
  const { output } = await runPlimsoll(["stats", ...words, "--timezone", "UTC", "--json"], {
    environment: { HOME: name("") },
  });
  return JSON.parse(output);
}

const toCents = (groups: Iterable<readonly [string, number]>) =>
  [...groups].map(([key, usd]) => [key, usd.toFixed(2)]).sort();
const readKeyed = ({ rows }: { readonly rows: readonly { key: string; totalUsd: number }[] }) =>
  rows.map(({ key, totalUsd }) => [key, totalUsd] as const);
const priceAll = (answers: readonly Answer[]): number => priceExported(answers.map(render).join(""));

describe("dollars of all public sessions", () => {
  withCorpus.it("are those of a loop that shares no code with us, to the cent, by day and model", async () => {
    const answers = readAnswers();
    const loop = (keyOf: (answer: Answer) => string) =>
      toCents([...group(answers, keyOf)].map(([key, own]) => [key, priceAll(own)] as const));
    expect(toCents(await billGroups())).toEqual(loop(({ day, model }) => `${day} ${model}`));
    expect(toCents(readKeyed(await askStats([CORPUS, "--by", "day"])))).toEqual(loop(({ day }) => day));
    expect(toCents(readKeyed(await askStats([CORPUS, "--by", "model"])))).toEqual(loop(({ model }) => model));
    expect(answers.length).toBeGreaterThan(10_000);
  });
});

interface PricedMessage {
  readonly id?: string;
  readonly role?: string;
  readonly cost?: number;
  readonly usage?: { readonly cost?: { readonly total?: number } };
}

/** The dollars above zero that each client wrote into its own files. */
const RECORDED_USD: Readonly<Record<string, (text: string) => readonly number[]>> = {
  pi: (text) =>
    text
      .split("\n")
      .map((line): PricedMessage | undefined => (line === "" ? undefined : JSON.parse(line).message))
      .map((message) => (message?.role === "assistant" ? (message.usage?.cost?.total ?? 0) : 0)),
  opencode: (text) => JSON.parse(text).messages.map(({ info }: { readonly info: PricedMessage }) => info.cost ?? 0),
};

describe("dollars that a client recorded itself", () => {
  for (const [host, read] of Object.entries(RECORDED_USD)) {
    withHosts.it(`are its dollars here: ${host}`, async () => {
      const folder = path.join(HOSTS, host);
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.jsonl?$/.test(file));
      const recorded = files
        .flatMap((file) => read(readFileSync(path.join(folder, file), "utf8")))
        .filter((usd) => usd > 0);
      const { recordedByClient } = await askStats([folder]);
      expect(recordedByClient.requests).toBe(recorded.length);
      expect(recordedByClient.usd).toBeCloseTo(
        recorded.reduce((sum, usd) => sum + usd, 0),
        6,
      );
    });
  }
});
