import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { isObject, listField, numberField, textField, textListField } from "../../../src/core/json.ts";
import type { Cut } from "./read-cut.ts";

/** What a reader found at a cut, in words of their own. */
export interface Label {
  readonly next: string;
  readonly nextAlso: readonly string[];
  readonly nextWrong: readonly string[];
  readonly open: readonly string[];
  readonly decisions: readonly string[];
  readonly overturned: readonly string[];
  readonly failed: readonly string[];
  readonly phases: readonly string[];
  readonly files: readonly string[];
  readonly isOpen: boolean | undefined;
}

export interface LabelledCut extends Cut {
  /** By two readers who saw neither each other's labels nor what the program says. */
  readonly labels: readonly [Label, Label] | undefined;
  /** Whether any reader found something still to be done; absent where none was asked. */
  readonly isOpen: boolean | undefined;
}

/** `index.json` names the cuts, `A/NN.json` and `B/NN.json` are the two readers' labels of cut NN. */
export function readLabels(folder: string): readonly LabelledCut[] {
  const index = parseFile(path.join(folder, "index.json"));
  return (Array.isArray(index) ? index : []).filter(isObject).map((cut) => {
    const k = numberField(cut, "k") ?? 0;
    const [one, other] = ["A", "B"].map((reader) => readLabel(path.join(folder, reader, `${pad(k)}.json`)));
    const asked = [readOpen(cut), one?.isOpen, other?.isOpen].filter((isOpen) => isOpen !== undefined);
    return {
      k,
      file: textField(cut, "file"),
      cutLine: numberField(cut, "cutLine") ?? 0,
      half: numberField(cut, "half") ?? 0,
      labels: one && other ? [one, other] : undefined,
      isOpen: asked.length === 0 ? undefined : asked.includes(true),
    };
  });
}

function readLabel(file: string): Label | undefined {
  const label = parseFile(file);
  if (!isObject(label)) return undefined;
  return {
    next: textField(label, "next"),
    nextAlso: textListField(label, "nextAlso"),
    nextWrong: textListField(label, "nextWrong"),
    open: textListField(label, "open"),
    decisions: listField(label, "decisions").filter(isObject).map(renderDecision),
    overturned: textListField(label, "overturned"),
    failed: listField(label, "failed").filter(isObject).map(renderFailure),
    phases: [textField(label, "phase"), ...textListField(label, "phaseAlso")],
    files: textListField(label, "filesChanged"),
    isOpen: readOpen(label),
  };
}

function readOpen({ isOpen }: JsonObject): boolean | undefined {
  return typeof isOpen === "boolean" ? isOpen : undefined;
}

function renderDecision(decision: JsonObject): string {
  return `${textField(decision, "by")}: ${textField(decision, "what")}`;
}

function renderFailure(failure: JsonObject): string {
  return `${textField(failure, "what")}: ${textField(failure, "line")} (${failure.mended === true ? `mended: ${textField(failure, "fix")}` : "not mended"})`;
}

export function parseFile(file: string): Json | undefined {
  if (!existsSync(file)) return undefined;
  const parsed: Json = JSON.parse(readFileSync(file, "utf8"));
  return parsed;
}

function pad(k: number): string {
  return String(k).padStart(2, "0");
}
