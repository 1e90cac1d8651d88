/**
 * Fits the seed of the token estimator: tokens per lexical feature, per tokenizer, from the growth of recorded requests.
 * Prints the weights to put into `src/models/tokens.ts`, and their error on repositories they were not fitted on.
 */

import type { Block } from "../../src/core/message.ts";
import { solveLinear } from "../../src/measure/calibration.ts";
import { observeGrowth } from "../../src/measure/meter.ts";
import type { Recording } from "../../src/measure/recording.ts";
import { countLexemes, type LexicalCounts } from "../../src/models/lexical.ts";
import { type Tokenizer, tokenizerOf } from "../../src/models/tokens.ts";
import { readCorpus } from "./corpus.ts";

const LEXICAL: readonly (keyof LexicalCounts)[] = [
  "words",
  "letters",
  "digits",
  "marks",
  "markRuns",
  "lines",
  "spaces",
  "spaceRuns",
  "wide",
  "other",
];
const EXTRA = ["signature", "calls", "results", "prompts"] as const;
type Feature = keyof LexicalCounts | (typeof EXTRA)[number];
const FEATURES: readonly Feature[] = [...LEXICAL, ...EXTRA];
/** Held near these where the recordings say little: wide scripts are rare in them. */
const PRIOR: Partial<Record<Feature, number>> = {
  wide: 1.1,
  other: 0.9,
  signature: 0.19,
  calls: 64,
  results: 15,
  prompts: 30,
};

interface Sample {
  readonly repository: string;
  readonly growth: number;
  readonly features: Record<Feature, number>;
}

function emptyFeatures(): Record<Feature, number> {
  return Object.fromEntries(FEATURES.map((feature) => [feature, 0])) as Record<Feature, number>;
}

function addText(features: Record<Feature, number>, text: string): void {
  const counts = countLexemes(text);
  for (const name of LEXICAL) features[name] += counts[name];
}

function addBlock(features: Record<Feature, number>, block: Block): boolean {
  if (block.kind === "text") addText(features, block.text);
  else if (block.kind === "toolCall") {
    addText(features, JSON.stringify(block.input));
    features.calls++;
  } else if (block.kind === "thinking") features.signature += block.signature.length;
  else if (block.kind === "toolResult") {
    features.results++;
    for (const part of block.parts) {
      if (part.kind !== "text") return false;
      addText(features, part.text);
    }
  } else return false;
  return true;
}

function collect(
  recording: Recording,
  repository: string,
): { readonly tokenizer: Tokenizer; readonly sample: Sample }[] {
  return observeGrowth(recording).flatMap((observation) => {
    const step = recording.steps[observation.step];
    const before = recording.steps[observation.step - 1];
    if (!step || !before) return [];
    const features = emptyFeatures();
    const answer = before.isOutputFinal ? [] : before.outputs;
    const arrivals = step.arrivals.map((arrival) => arrival.block);
    if (![...answer, ...arrivals].map((block) => addBlock(features, block)).every(Boolean)) return [];
    features.prompts = step.arrivals.filter((arrival) => arrival.source === "prompt").length;
    return [{ tokenizer: tokenizerOf(step.model), sample: { repository, growth: observation.growthTokens, features } }];
  });
}

function predict(features: Record<Feature, number>, weights: readonly number[]): number {
  return FEATURES.reduce((total, feature, index) => total + features[feature] * (weights[index] ?? 0), 0);
}

function fitWeights(samples: readonly Sample[]): readonly number[] {
  let weights = FEATURES.map((feature) => PRIOR[feature] ?? 0.35);
  for (let round = 0; round < 12; round++) {
    const matrix = FEATURES.map((feature, row) =>
      FEATURES.map((_, column) => (row === column ? (feature in PRIOR ? 40 / (PRIOR[feature] ?? 1) ** 2 : 1e-3) : 0)),
    );
    const vector = FEATURES.map((feature) => (feature in PRIOR ? 40 / (PRIOR[feature] ?? 1) : 0));
    for (const { growth, features } of samples) {
      const predicted = predict(features, weights);
      const deviation = 40 + 0.06 * Math.max(predicted, 0);
      const distance = Math.abs(growth - predicted) / deviation;
      const weight = (distance > 1.5 ? 1.5 / distance : 1) / deviation ** 2;
      for (const [row, rowFeature] of FEATURES.entries()) {
        if (features[rowFeature] === 0) continue;
        vector[row] = (vector[row] ?? 0) + weight * features[rowFeature] * growth;
        const cells = matrix[row];
        if (cells)
          for (const [column, other] of FEATURES.entries())
            cells[column] = (cells[column] ?? 0) + weight * features[rowFeature] * features[other];
      }
    }
    weights = [...solveLinear(matrix, vector)];
  }
  return weights;
}

function quantile(values: readonly number[], share: number): number {
  return (
    [...values].sort((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
  );
}

function judge(samples: readonly Sample[], weights: readonly number[]): readonly number[] {
  return samples
    .filter(({ growth }) => growth > 1000)
    .map(({ growth, features }) => Math.abs(predict(features, weights) / growth - 1));
}

export async function run(): Promise<void> {
  const samples: Record<Tokenizer, Sample[]> = { classic: [], dense: [] };
  for await (const { recording, repository } of readCorpus()) {
    for (const { tokenizer, sample } of collect(recording, repository)) samples[tokenizer].push(sample);
  }
  for (const tokenizer of ["classic", "dense"] as const) {
    const all = samples[tokenizer];
    const repositories = [...new Set(all.map((sample) => sample.repository))].sort();
    const isHeld = (sample: Sample): boolean => repositories.indexOf(sample.repository) % 2 === 0;
    const held = judge(all.filter(isHeld), fitWeights(all.filter((sample) => !isHeld(sample))));
    const weights = fitWeights(all);
    console.log(`${tokenizer}: ${all.length} steps of ${repositories.length} repositories`);
    console.log(`  ${FEATURES.map((feature, index) => `${feature} ${(weights[index] ?? 0).toFixed(3)}`).join(", ")}`);
    for (const [name, errors] of [
      ["all", judge(all, weights)],
      ["repositories not fitted on", held],
    ] as const) {
      const [median, p90, p95] = [0.5, 0.9, 0.95].map((share) => `${(quantile(errors, share) * 100).toFixed(1)} %`);
      console.log(
        `  steps growing by more than 1,000 tokens, ${name}: error p50 ${median}, p90 ${p90}, p95 ${p95} (n ${errors.length})`,
      );
    }
  }
}
