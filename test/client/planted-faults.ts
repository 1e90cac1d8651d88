import { type LawScenario, PLAIN } from "./law-scenarios.ts";

/** One small change of the module's source that breaks a law, and what the auditor must say of it. */
export interface PlantedFault {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** In which session it shows. */
  readonly scenario: LawScenario;
  /** A line of the verdict. */
  readonly finds: RegExp;
}

const fault = (
  name: string,
  finds: RegExp,
  [file, find, replace]: readonly [file: string, find: string, replace: string],
  scenario: LawScenario = PLAIN,
): PlantedFault => ({ name, file, find, replace, scenario, finds });

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  fault("an original is not stored", /^missing: handle.*"?plimsoll:[0-9a-f]{12}#1/m, [
    "src/mod/compact.ts",
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
    "{++number}",
    "{++number + 1}",
  ]),
  fault("what stays begins one answer too late", /^missing: answer.*Plank row/m, [
    "src/mod/plan-answer.ts",
    "const tail = event.messages.filter((_, index) => kept.has(index));",
    'const whole = event.messages.filter((_, index) => kept.has(index));\n  const second = whole.findIndex(({ role }, index) => index > 0 && role === "assistant" && whole[index - 1]?.role === "user");\n  const tail = whole.slice(second);',
  ]),
  fault("the person's words are cut at 200 characters", /^missing: prompt.*Mind the order/m, [
    "src/layers/ledger/render-chunk.ts",
    'text.replaceAll("\\n", "\\n  ")',
    'text.slice(0, 200).replaceAll("\\n", "\\n  ")',
  ]),
  fault("a result is another's", /^untrue: result of toolu_main_\d+_1.*instead of/m, [
    "src/mod/plan-answer.ts",
    "  return told;",
    '  return JSON.parse(JSON.stringify(told).replaceAll("step 4 plank", "step 3 plank"));',
  ]),
  fault(
    "the second compaction forgets the ledger of the first",
    /^missing: prompt.*gone in request 1[0-9]: "Mind the order/m,
    ["src/mod/engine-messages.ts", "if (from < 0) return [];", "if (from < Number.MAX_SAFE_INTEGER) return [];"],
  ),
  fault("a folded result is stored without its end", /^untrue: result of toolu_main_0_0/m, [
    "src/mod/fold-row.ts",
    "const kept = await door.keep({ output: text, tool, command });",
    "const kept = await door.keep({ output: text.slice(0, -5), tool, command });",
  ]),
  fault("the model's words are stored without their end", /^missing: answer.*Plank row/m, [
    "src/layers/ledger/render-exchange.ts",
    'sections: isShort ? [] : [{ part: "", text }] };',
    'sections: isShort ? [] : [{ part: "", text: text.slice(0, 200) }] };',
  ]),
  fault("what a call was given is not stored", /^missing: input of toolu_main_0_0/m, [
    "src/layers/ledger/render-exchange.ts",
    'call ? [{ part: "i", text: JSON.stringify(call.input) }] : [];',
    'call && style === undefined ? [{ part: "i", text: JSON.stringify(call.input) }] : [];',
  ]),
  fault("the archive is not written", /^missing: handle.*call:/m, [
    "src/mod/compact.ts",
    "await writeArchive($, folder, Date.now(), [...dropped, ...inPieces]);",
    "await writeArchive($, folder, Date.now(), dropped.length < 0 ? inPieces : []);",
  ]),
];
