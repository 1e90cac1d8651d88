import {
  begunWithout,
  fullDisk,
  type HardPlace,
  hugeResult,
  readOnlyTranscripts,
  tenTasks,
  threeReports,
} from "./hard-places.ts";
import { INTERLEAVED, type LawScenario, MIXED, STEERED } from "./law-scenarios.ts";

/** A change of one line of the module's source. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** One small change that breaks a law, and what the auditor must say of it. */
export interface PlantedFault {
  readonly name: string;
  readonly patch: Patch;
  /** In which session it shows. */
  readonly scenario: LawScenario | HardPlace;
  /** A line of the verdict, or of what is wrong in a hard place. */
  readonly finds: RegExp;
}

/** In every build, the one without a fault among them: stretches of ledger grow thin within a short session. */
export const THIN_SOON: Patch = {
  file: "src/layers/options/policy-settings.ts",
  find: "thinAfterExchanges: 40 }",
  replace: "thinAfterExchanges: 5 }",
};

const fault = (
  name: string,
  finds: RegExp,
  [file, find, replace]: readonly [file: string, find: string, replace: string],
  scenario: LawScenario | HardPlace = MIXED,
): PlantedFault => ({ name, patch: { file, find, replace }, scenario, finds });

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  fault("an original is not stored", /^missing: handle.*"?plimsoll:[0-9a-f]{12}#1/m, [
    "src/doors/engine/compaction/compact.ts",
    'const kept = await shelf.keep({ output: text, tool: "ledger", command: "" });',
    "const kept: object | undefined = { text, shelf };",
  ]),
  fault("a handle has a wrong digit", /^missing: handle.*plimsoll:/m, [
    "src/fold/marker.ts",
    "sha256.slice(0, HANDLE_DIGITS)",
    "sha256.slice(1, HANDLE_DIGITS + 1)",
  ]),
  fault("the ledger's numbers are off by one", /^missing: result of toolu_main_0_0|^untrue: handle/m, [
    "src/layers/ledger/render-chunk.ts",
    'text: renderEntry({ kind: "call", number, text:',
    'text: renderEntry({ kind: "call", number: number + 1, text:',
  ]),
  fault("what stays begins one answer too late", /^missing: answer.*Plank row/m, [
    "src/doors/engine/compaction/plan-answer.ts",
    "conversation.entries.filter(({ id }) => kept.has(id)),",
    `((whole) => whole.slice(whole.findIndex((entry, at) => {
      const before = whole[at - 1];
      return entry.kind === "row" && entry.row.role === "assistant" && before?.kind === "row" && before.row.role === "user";
    })))(conversation.entries.filter(({ id }) => kept.has(id))),`,
  ]),
  fault("results of calls that were made at once are lost", /^missing: result of toolu_main_\d+_[01]/m, [
    "src/doors/engine/compaction/plan-answer.ts",
    "const toolResults = rows.flatMap(",
    "const toolResults = rows.slice(-1).flatMap(",
  ]),
  fault("a result is another's", /^untrue: result of .* instead of "seam \d is tight"/m, [
    "src/doors/engine/compaction/plan-answer.ts",
    "({ tool_use_id: callId, text, isError })",
    "({ tool_use_id: callId, text: rows[0]?.resultTexts[0]?.text ?? text, isError })",
  ]),
  fault("the person's words are cut at 200 characters", /^missing: prompt.*Mind the order/m, [
    "src/layers/ledger/ledger-text.ts",
    'text.replaceAll("\\n", SET_IN)',
    'text.slice(0, 200).replaceAll("\\n", SET_IN)',
  ]),
  fault(
    "words typed while the model works are left out",
    /^missing: words.*Use the red paint/m,
    [
      "src/doors/engine/compaction/beside-rows.ts",
      'if (message.name === "queued_command") {',
      'if (message.name === "queued_command") return undefined;\n  if (message.name === "queued_command") {',
    ],
    STEERED,
  ),
  fault("a picture leaves nothing behind", /^missing: picture of toolu_main_3_0/m, [
    "src/doors/engine/compaction/beside-rows.ts",
    "renderPictureNote(url, handles.get(url))",
    'renderPictureNote("", undefined).slice(0, handles.size * 0)',
  ]),
  fault(
    "the second compaction forgets the ledger of the first",
    /^missing: prompt.*gone in request 1[0-9]: "Mind the order/m,
    ["src/layers/ledger/ledger-text.ts", "if (from < 0) return [];", "if (from < Number.MAX_SAFE_INTEGER) return [];"],
  ),
  fault("lines that are left out of an old stretch are not named", /^missing: result of .* "seam 1 is tight"/m, [
    "src/layers/ledger/ledger-text.ts",
    "entry.lines.map(renderLeftOut)",
    "entry.lines.slice(entry.lines.length).map(renderLeftOut)",
  ]),
  fault("a folded result is stored without its end", /^untrue: result of toolu_main_0_0/m, [
    "src/doors/engine/append.ts",
    "const kept = await door.keep({ output: last?.artifact ?? text, tool, command });",
    "const kept = await door.keep({ output: last?.artifact ?? text.slice(0, -5), tool, command });",
  ]),
  fault("the model's words are stored without their end", /^missing: answer.*Plank row/m, [
    "src/layers/ledger/render-exchange.ts",
    'foldCodeBlocks(text);\n  const sections = [{ part: "", text } as const];',
    'foldCodeBlocks(text);\n  const sections = [{ part: "", text: text.slice(0, 200) } as const];',
  ]),
  fault("what a call was given is not stored", /^missing: input of toolu_main_0_0/m, [
    "src/layers/ledger/render-exchange.ts",
    'call ? [{ part: "i", text: renderInput(call) }] : [];',
    'call && style === undefined ? [{ part: "i", text: renderInput(call) }] : [];',
  ]),
  fault("the oldest stretch is not stored", /^missing: (?:result|input) of toolu_main_/m, [
    "src/doors/engine/compaction/compact.ts",
    "for (const { text } of originals) {",
    "for (const { text } of originals.slice(1)) {",
  ]),
  fault(
    "rows are taken as they were kept, results between the calls of one answer",
    /^untrue: answer in request/m,
    ["src/doors/engine/compaction/compact.ts", "groupByAnswer(rows, sent)", "rows"],
    INTERLEAVED,
  ),
  fault(
    "the size after a compaction is what was expected, not what was measured",
    /^size: /m,
    [
      "src/doors/engine/compaction/settle-compaction.ts",
      "const tokensAfter = measuredTokens ?? expectedTokens;",
      "const tokensAfter = expectedTokens;",
    ],
    begunWithout,
  ),
  fault(
    "an open task is left out in silence",
    /^task not named: /m,
    [
      "src/survive/record/standing-record.ts",
      "...items.slice(0, shown).map((item)",
      "...items.slice(0, shown - 1).map((item)",
    ],
    tenTasks,
  ),
  fault(
    "a subagent's report is cut short once it is old",
    /^finding gone: /m,
    [
      "src/layers/ledger/thin-stretch.ts",
      'entry.by === "report") return REPORT_SHARE;',
      'entry.by === "report") return 0.1;',
    ],
    threeReports,
  ),
  fault(
    "an empty ignore file is taken for one that ignores",
    /^ignore files: /m,
    ["src/doors/engine/read-regular.ts", "stat.size === 0", "stat.size < 0"],
    fullDisk,
  ),
  fault(
    "a compaction is announced that the client has not carried out",
    /^announced, and not done: /m,
    [
      "src/doors/engine/compaction/settle-compaction.ts",
      "if (!(await hasLanded($, pending))) {",
      "if (pending.landmark === undefined) {",
    ],
    readOnlyTranscripts,
  ),
  fault(
    "a result above what the engine reads is left to the client's preview",
    /^not folded: /m,
    ["src/doors/engine/read-regular.ts", "size > MAX_LONG_BYTES", "size > MAX_ENGINE_BYTES"],
    hugeResult,
  ),
];
