import type { Json } from "../../../src/core/json.ts";
import { isObject, textField } from "../../../src/core/json.ts";
import type { LabelledCut } from "./labels.ts";
import type { Said } from "./say-state.ts";

export interface Answer {
  readonly cut: LabelledCut;
  readonly said: Said;
}

/** One statement of the program next to what two readers found, for a judge who knows neither which session it is nor what is wished for. */
interface Pair {
  readonly id: string;
  readonly set: number;
  readonly kind: string;
  readonly said: string;
  readonly labelsA: Json;
  readonly labelsB: Json;
}

const KINDS = ["next", "decision", "open", "failed", "fixed"] as const;

export function listPairs(answers: readonly Answer[]): readonly Pair[] {
  return answers.flatMap(({ cut, said }) => {
    const [one, other] = cut.labels ?? [];
    if (!one || !other) return [];
    const pair = (kind: (typeof KINDS)[number], text: string, at: number): Pair => {
      const pick = (label: typeof one): Json => {
        if (kind === "next")
          return { next: label.next, nextAlso: [...label.nextAlso], nextWrong: [...label.nextWrong] };
        if (kind === "open") return { open: [...label.open], notOpen: [...label.nextWrong] };
        if (kind === "failed" || kind === "fixed") return [...label.failed];
        return { decisions: [...label.decisions], overturned: [...label.overturned] };
      };
      return { id: `${cut.k}/${kind}/${at}`, set: cut.k, kind, said: text, labelsA: pick(one), labelsB: pick(other) };
    };
    return [
      ...(said.next === "" ? [] : [pair("next", said.next, 0)]),
      ...said.decisions.map((text, at) => pair("decision", text, at)),
      ...said.open.map((text, at) => pair("open", text, at)),
      ...said.failed.map((text, at) => pair("failed", text, at)),
      ...said.fixed.map((text, at) => pair("fixed", text, at)),
    ];
  });
}

/** `[{ "id": "4/next/0", "verdict": "right" }, ...]`, as the judge gave it back. */
export function renderScores(answers: readonly Answer[], verdicts: Json | undefined): readonly string[] {
  const list = (Array.isArray(verdicts) ? verdicts : []).filter(isObject);
  const right = new Map(list.map((each) => [textField(each, "id"), textField(each, "verdict") === "right"]));
  const judged = listPairs(answers).filter(({ id }) => right.has(id));
  const silent = answers.filter(({ said }) => said.next === "").length;
  return KINDS.flatMap((kind) => {
    const of = judged.filter((pair) => pair.kind === kind);
    const good = of.filter(({ id }) => right.get(id)).length;
    if (of.length === 0) return [];
    const lines = [`${kind.padEnd(9)} right ${good} of ${of.length}: ${renderShare(good, of.length)}`];
    const orSilent = `next right or silent ${good + silent} of ${of.length + silent}: ${renderShare(good + silent, of.length + silent)}; it speaks in ${of.length}`;
    return kind === "next" ? [...lines, orSilent] : lines;
  });
}

/** What needs no judge: "nothing is open", phases and files, and how far the two readers agree in these. */
export function renderPlainScores(answers: readonly Answer[]): readonly string[] {
  const asked = answers.filter(({ cut: { isOpen } }) => isOpen !== undefined);
  const nothing = asked.filter(({ said }) => said.kind === "nothing");
  const wrong = nothing.filter(({ cut }) => cut.isOpen).length;
  const openness =
    asked.length === 0
      ? []
      : [
          `nothing   said to be open in ${nothing.length} of ${asked.length} cuts, wrongly in ${wrong}: ${renderShare(wrong, asked.length)} of all`,
        ];
  const labelled = answers.flatMap(({ cut: { labels }, said }) => (labels ? [{ labels, said }] : []));
  const phase = labelled.filter(({ labels, said }) => labels.some(({ phases }) => phases.includes(said.phase))).length;
  const agreed = labelled.filter(({ labels: [one, other] }) => one.phases[0] === other.phases[0]).length;
  const files = labelled.map(({ labels, said }) => {
    const known = [...new Set(labels.flatMap((label) => label.files))];
    const isIn = (path: string, paths: readonly string[]): boolean => paths.some((each) => isSameFile(path, each));
    return {
      said: said.files.length,
      right: said.files.filter((path) => isIn(path, known)).length,
      known: known.length,
      found: known.filter((path) => isIn(path, said.files)).length,
    };
  });
  if (labelled.length === 0) return openness;
  const sum = (pick: (row: (typeof files)[number]) => number): number =>
    files.reduce((total, row) => total + pick(row), 0);
  return [
    ...openness,
    `phase     one of either reader's in ${phase} of ${labelled.length}; the readers name the same first in ${agreed}`,
    `files     precision ${renderShare(
      sum((row) => row.right),
      sum((row) => row.said),
    )}, recall ${renderShare(
      sum((row) => row.found),
      sum((row) => row.known),
    )} of either reader's`,
  ];
}

function isSameFile(one: string, other: string): boolean {
  const [left, right] = [one, other].map((each) => each.replace(/\\/g, "/").replace(/^(?:~|\.)\//, ""));
  if (left === undefined || right === undefined) return false;
  return left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`);
}

/** With the interval of Wilson at 95 %. */
function renderShare(part: number, of: number): string {
  if (of === 0) return "–";
  const z = 1.96;
  const share = part / of;
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const half = (z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))) / (1 + z ** 2 / of);
  return `${share.toFixed(2)} [${Math.max(0, middle - half).toFixed(2)}, ${Math.min(1, middle + half).toFixed(2)}]`;
}
