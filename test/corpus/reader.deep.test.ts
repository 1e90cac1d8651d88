/** If red: a line of a real session is not read, or read twice. */
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { CORPUS, listCorpus } from "../../lab/bench/corpus.ts";
import { type MeteredTranscript, readMeter, readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { scanUsage } from "../../src/hosts/claude-code/disk/scan-usage.ts";
import type { LineTally } from "../../src/hosts/transcript-entry.ts";
import type { Accounts } from "../../src/hosts/usage.ts";
import { withCorpus } from "../support/needs.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { countPlainly, type PlainCount } from "./count-plainly.ts";

/** A row of the corpus's own index, which another program made. */
interface IndexRow {
  readonly file: string;
  readonly lines: number;
  readonly bad_lines: number;
  readonly compact_boundaries: number;
}

/** One file as the plain count, the index and the two readers see it. */
interface Survey {
  readonly name: string;
  readonly plain: PlainCount;
  readonly row: IndexRow | undefined;
  readonly tally: LineTally;
  /** A last line that was cut off is no line to the reader: it may still be going on. */
  readonly unfinishedLines: number;
  readonly compactions: number;
  readonly windows: number;
  readonly scan: ReturnType<typeof scanUsage>;
  readonly accounts: Accounts;
}

withCorpus.describe("the readers on recorded sessions", () => {
  let surveys: readonly Survey[] = [];

  beforeAll(() => {
    const rows: readonly IndexRow[] = JSON.parse(readFileSync(path.join(CORPUS, "INDEX.json"), "utf8"));
    surveys = listCorpus().map((file) => survey(file, rows));
  });

  /** A value for each file, so that a failure names the file. */
  const perFile = <T>(pick: (survey: Survey) => T): Readonly<Record<string, T>> =>
    Object.fromEntries(surveys.map((one) => [one.name, pick(one)]));

  it("are more than a hundred and parse, every one of them", () => {
    expect(surveys.length).toBeGreaterThan(100);
    expect(surveys.filter(({ tally }) => tally.parsed === 0).map(({ name }) => name)).toEqual([]);
  });

  it("account for every line that is not blank", () => {
    expect(
      perFile(({ tally, unfinishedLines }) => tally.parsed + tally.ignored + tally.malformed + unfinishedLines),
    ).toEqual(perFile(({ plain }) => plain.lines));
    expect(
      perFile(({ scan, unfinishedLines }) => scan.lines.read + scan.lines.notAboutUsage + unfinishedLines),
    ).toEqual(perFile(({ plain }) => plain.lines));
  });

  it("call those lines malformed that JSON.parse rejects", () => {
    expect(perFile(({ tally, unfinishedLines }) => tally.malformed + unfinishedLines)).toEqual(
      perFile(({ plain }) => plain.rejected),
    );
  });

  it("tell of no line twice", () => {
    expect(perFile(({ tally }) => tally.repeated)).toEqual(perFile(({ plain }) => plain.repeated));
  });

  it("know every type of line", () => {
    expect(surveys.filter(({ tally }) => tally.unknown > 0).map(({ name }) => name)).toEqual([]);
  });

  it("agree with the index on lines, bad lines and compactions", () => {
    const ours = perFile(({ tally, unfinishedLines, compactions }) => {
      return [tally.lines + unfinishedLines, tally.malformed + unfinishedLines, compactions];
    });
    expect(ours).toEqual(perFile(({ row }) => [row?.lines, row?.bad_lines, row?.compact_boundaries]));
    expect(perFile(({ scan }) => scan.compactions.length)).toEqual(perFile(({ row }) => row?.compact_boundaries));
  });

  it("see every compaction of a conversation as the end of a window", () => {
    const passedBy = surveys.filter(({ windows, compactions }) => windows <= compactions);
    expect(passedBy.map(({ name }) => name)).toEqual([]);
  });

  it("join split answers: one step for each message that was billed, with the largest output told", () => {
    const ours = perFile(({ scan }) => scan.steps.map(({ stepId, usage }) => [stepId, usage.outputTokens]));
    expect(ours).toEqual(perFile(({ plain }) => [...plain.outputTokens]));
  });

  it("come to the same accounts by the narrow scan and by reading all of it", () => {
    // A subagent's answer that is told in passing has two times, milliseconds apart; a file without requests may not say whose it is.
    const strip = ({ steps, misses, compactions, toolCalls }: Survey["accounts"]) => ({
      steps: steps.map((step) => (step.isSidechain ? { ...step, atMs: 0 } : step)),
      ...{ misses, compactions, toolCalls },
    });
    expect(perFile(({ accounts }) => strip(accounts))).toEqual(perFile(({ scan }) => strip(scan)));
  });

  it("count every call once", () => {
    expect(perFile(({ scan }) => scan.toolCalls)).toEqual(perFile(({ plain }) => plain.toolCalls));
  });
});

function survey(file: string, rows: readonly IndexRow[]): Survey {
  const name = path.relative(CORPUS, file);
  const { tally, unfinishedBytes, entries, recording, accounts } = readRecording(file);
  return {
    name,
    plain: countPlainly(file),
    row: rows.find((row) => row.file === name.split(path.sep).join("/")),
    tally,
    unfinishedLines: unfinishedBytes > 0 ? 1 : 0,
    compactions: entries.flatMap(({ events }) => events).filter(({ kind }) => kind === "compaction").length,
    windows: recording.windows.length,
    scan: scanUsage(file),
    accounts,
  };
}

withCorpus.describe("readMeter on recorded sessions that grow while it reads", () => {
  const temporary = createTemporaryFolder();
  const SMALLEST = 300_000;
  const LARGEST = 700_000;

  it("comes to the same saved state as one whole reading, cut in the middle of lines and of characters", () => {
    const sources = listCorpus()
      .filter((file) => statSync(file).size > SMALLEST && statSync(file).size < LARGEST)
      .map((file) => ({ file, bytes: readFileSync(file) }))
      .filter(({ bytes }) => findInnerBytes(bytes).length > 0)
      .slice(0, 6);
    expect(sources).toHaveLength(6);
    for (const [seed, { file, bytes }] of sources.entries()) {
      const growing = temporary.name();
      writeFileSync(growing, "");
      let saved: MeteredTranscript | undefined;
      let from = 0;
      for (const cut of chooseCuts(bytes, seed)) {
        appendFileSync(growing, bytes.subarray(from, cut));
        from = cut;
        saved = JSON.parse(JSON.stringify(readMeter(growing, saved).transcript));
      }
      const whole = readMeter(growing).transcript;
      expect(saved, path.basename(file)).toEqual(JSON.parse(JSON.stringify(whole)));
      expect(whole.meter.steps).toBeGreaterThan(0);
    }
  });
});

/** Positions inside characters of several bytes. */
function findInnerBytes(bytes: Buffer): readonly number[] {
  return [...bytes.subarray(0, LOOKED_AT_BYTES).entries()].flatMap(([at, byte]) =>
    (byte & 0xc0) === 0x80 ? [at] : [],
  );
}

const LOOKED_AT_BYTES = 200_000;
const CUTS = 40;

/** The same for the same seed: some anywhere, some inside characters, and the end. */
function chooseCuts(bytes: Buffer, seed: number): readonly number[] {
  const inner = findInnerBytes(bytes);
  let state = seed + 1;
  const draw = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const anywhere = Array.from({ length: CUTS }, () => draw(bytes.length));
  const inside = Array.from({ length: CUTS / 4 }, () => inner[draw(inner.length)] ?? 0);
  return [...anywhere, ...inside, bytes.length].sort((left, right) => left - right);
}
