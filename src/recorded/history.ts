import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Json, listField, numberField, objectField, parseObject, textField } from "../core/json.ts";
import { appendPrivateFile } from "../files/private-files.ts";
import { readObject } from "../files/read-regular-file.ts";
import type { Environment, TranscriptFile } from "../hosts/host.ts";
import type { BilledCompaction, StepUsage, UsageScan } from "../hosts/usage.ts";
import { CACHE_MISS_CAUSES, type CacheMiss } from "../measure/cache-miss.ts";
import type { Aliases } from "./name-projects.ts";
import { keepOwnFile, listOwnData, locateOwnData } from "./own-data.ts";

/** The sums of one session file that cannot be read here: it is gone, or it is on another machine. */
export interface KeptFile {
  readonly file: TranscriptFile;
  /** Without the person's words: a kept session has no title. */
  readonly scan: UsageScan;
  /** The machine it came from; empty for this one. */
  readonly machine: string;
}

export interface KeptHistory {
  readonly files: readonly KeptFile[];
  /** Lines that are damaged or of a newer version. */
  readonly skipped: number;
  readonly aliases: Aliases;
}

export const NO_HISTORY: KeptHistory = { files: [], skipped: 0, aliases: {} };

const FORMAT = 1;
const FOLDER = "history";
/** Only added to, so that two programs that see the same files vanish lose nothing of each other. */
const OWN_FILE = "gone.jsonl";
const MACHINES = "machines";
const SUFFIX = ".jsonl";
const MACHINE_NAME = /^[\w.-]{1,64}$/;

export function isMachineName(name: string): boolean {
  return MACHINE_NAME.test(name) && !name.startsWith(".");
}

/** What was kept of files that are gone, and of other machines. A file that was kept twice counts as it was last. */
export function readHistory(environment: Environment): KeptHistory {
  const files = new Map<string, KeptFile>();
  let skipped = 0;
  for (const { name, machine } of listStores(environment))
    for (const line of tryToList(() => splitLines(readFileSync(name, "utf8")))) {
      const kept = parseKept(line, machine);
      if (kept) files.set(kept.file.path, kept);
      else skipped++;
    }
  return { files: [...files.values()], skipped, aliases: readAliases(environment) };
}

/** Returns whether it was stored: what was not stays in the index, and is stored next time. */
export function keepGone(environment: Environment, gone: readonly Omit<KeptFile, "machine">[]): boolean {
  const file = path.join(locateOwnData(environment), FOLDER, OWN_FILE);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    // A line that was cut off by a crash must not take the next one with it.
    appendPrivateFile(file, `\n${renderHistory(gone)}`);
    return true;
  } catch {
    return false;
  }
}

/** One line of JSON a file: what is stored, and what another machine imports. */
export function renderHistory(files: readonly Omit<KeptFile, "machine">[]): string {
  return files.map((kept) => `${JSON.stringify(packKept(kept))}\n`).join("");
}

/** Replaces what was imported from that machine before. Returns the files, or `undefined` if it could not be stored. */
export function importMachine(environment: Environment, machine: string, text: string): KeptHistory | undefined {
  const lines = splitLines(text);
  const files = lines.flatMap((line) => parseKept(line, machine) ?? []);
  const file = path.join(locateOwnData(environment), FOLDER, MACHINES, `${machine}${SUFFIX}`);
  const isKept = files.length > 0 && keepOwnFile(file, renderHistory(files.map(forgetMachine)));
  return isKept ? { files, skipped: lines.length - files.length, aliases: {} } : undefined;
}

const ALIASES = "aliases.json";

function readAliases(environment: Environment): Aliases {
  const found = listOwnData(environment).map((data) => readObject(path.join(data, FOLDER, ALIASES)));
  const entries = Object.entries(found.find((one) => one !== undefined) ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Names a folder, or with an empty name forgets its name. Returns whether it could be stored. */
export function keepAlias(environment: Environment, folder: string, name: string): boolean {
  const { [folder]: _, ...others } = readAliases(environment);
  const aliases = name === "" ? others : { ...others, [folder]: name };
  return keepOwnFile(path.join(locateOwnData(environment), FOLDER, ALIASES), JSON.stringify(aliases));
}

function forgetMachine(kept: KeptFile): KeptFile {
  return { ...kept, file: { ...kept.file, path: kept.file.path.slice(kept.machine.length + 1) } };
}

function listStores(environment: Environment): readonly { readonly name: string; readonly machine: string }[] {
  return listOwnData(environment).flatMap((data) => {
    const machines = path.join(data, FOLDER, MACHINES);
    return [
      { name: path.join(data, FOLDER, OWN_FILE), machine: "" },
      ...tryToList(() => readdirSync(machines).sort())
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => ({ name: path.join(machines, name), machine: name.slice(0, -SUFFIX.length) })),
    ];
  });
}

/** Empty where there is nothing to read: nothing has vanished yet, or was imported. */
function tryToList(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

function splitLines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

const SIDECHAIN = 1;
const UNFINAL = 2;
const FAST = 4;

/** A request is a row of numbers: about 80 bytes instead of 300. */
function packKept({ file, scan }: Omit<KeptFile, "machine">) {
  const models = [...new Set(scan.steps.map(({ model }) => model))];
  const places = new Map(scan.steps.map(({ stepId }, index) => [stepId, index]));
  return {
    v: FORMAT,
    file,
    session: scan.sessionId,
    folder: scan.folder,
    toolCalls: scan.toolCalls,
    models,
    requests: scan.steps.map(({ stepId, model, atMs, usage, isSidechain, isOutputFinal }) => [
      stepId,
      models.indexOf(model),
      atMs ?? null,
      usage.inputTokens,
      usage.cacheReadTokens,
      usage.cacheWrite5mTokens,
      usage.cacheWrite1hTokens,
      usage.outputTokens,
      (isSidechain ? SIDECHAIN : 0) + (isOutputFinal ? 0 : UNFINAL) + (usage.speed === "fast" ? FAST : 0),
      ...(usage.recordedUsd === undefined ? [] : [usage.recordedUsd]),
    ]),
    misses: scan.misses.map(({ stepId, cause, missedTokens, extraUsd }) => [
      places.get(stepId) ?? -1,
      cause,
      missedTokens,
      extraUsd ?? null,
    ]),
    compactions: scan.compactions.map(({ trigger, atMs }) => [trigger, atMs ?? null]),
  };
}

/** `undefined` for a line that we did not write, or that a newer version wrote. */
function parseKept(line: string, machine: string): KeptFile | undefined {
  const value = parseObject(line);
  const found = objectField(value, "file");
  const name = found && textField(found, "path");
  if (value.v !== FORMAT || !found || !name) return undefined;
  const client = textField(found, "client");
  const models = listField(value, "models").map(String);
  const steps = listField(value, "requests").flatMap((row) => parseRequest(row, models));
  return {
    file: {
      // The same path on two machines is two files.
      path: machine === "" ? name : `${machine}:${name}`,
      bytes: numberField(found, "bytes") ?? 0,
      modifiedMs: numberField(found, "modifiedMs") ?? 0,
      project: textField(found, "project"),
      isSubagent: found.isSubagent === true,
      ...(client === "" ? {} : { client }),
    },
    machine,
    scan: {
      steps,
      misses: listField(value, "misses").flatMap((row) => parseMiss(row, steps)),
      compactions: listField(value, "compactions").flatMap(parseCompaction),
      toolCalls: numberField(value, "toolCalls") ?? 0,
      sessionId: textField(value, "session"),
      title: "",
      folder: textField(value, "folder"),
      lines: { read: 0, notAboutUsage: 0, malformed: 0 },
    },
  };
}

function parseRequest(row: Json, models: readonly string[]): readonly StepUsage[] {
  const cells: readonly Json[] = Array.isArray(row) ? row : [];
  const [stepId, model, atMs, ...rest] = cells;
  const [inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, outputTokens, flags, recordedUsd] =
    rest.map((cell) => (typeof cell === "number" ? cell : 0));
  if (typeof stepId !== "string" || flags === undefined) return [];
  return [
    {
      stepId,
      model: models[Number(model)] ?? "",
      atMs: typeof atMs === "number" ? atMs : undefined,
      usage: {
        inputTokens: inputTokens ?? 0,
        cacheReadTokens: cacheReadTokens ?? 0,
        cacheWrite5mTokens: cacheWrite5mTokens ?? 0,
        cacheWrite1hTokens: cacheWrite1hTokens ?? 0,
        outputTokens: outputTokens ?? 0,
        ...((flags & FAST) === 0 ? {} : { speed: "fast" }),
        ...(recordedUsd === undefined ? {} : { recordedUsd }),
      },
      isSidechain: (flags & SIDECHAIN) !== 0,
      isOutputFinal: (flags & UNFINAL) === 0,
    },
  ];
}

function parseMiss(row: Json, steps: readonly StepUsage[]): readonly CacheMiss[] {
  const [place, name, missedTokens, extraUsd]: readonly Json[] = Array.isArray(row) ? row : [];
  const step = steps[Number(place)];
  const cause = CACHE_MISS_CAUSES.find((known) => known === name);
  if (!step || !cause || typeof missedTokens !== "number") return [];
  const usd = typeof extraUsd === "number" ? extraUsd : undefined;
  return [{ stepId: step.stepId, atMs: step.atMs, cause, missedTokens, extraUsd: usd }];
}

function parseCompaction(row: Json): readonly BilledCompaction[] {
  const [trigger, atMs]: readonly Json[] = Array.isArray(row) ? row : [];
  const time = typeof atMs === "number" ? atMs : undefined;
  return [{ trigger: String(trigger), preTokens: undefined, durationMs: undefined, atMs: time }];
}
