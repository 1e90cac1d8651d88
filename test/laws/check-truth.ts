import type { Violation } from "../api/validate-messages.ts";
import { choosePart } from "./combined-parts.ts";
import type { Fetched } from "./fetch-handles.ts";
import type { Step } from "./list-steps.ts";
import { findHandles, isMarker } from "./own-texts.ts";
import { contradictLine } from "./read-ledger.ts";
import type { Reading } from "./read-message.ts";
import { keysOfText, type Thing, textKey } from "./things.ts";
import { excerptOf, type Untruth } from "./verdict.ts";

export interface TruthChecker {
  check(step: Step): { readonly untrue: readonly Untruth[]; readonly violations: readonly Violation[] };
}

/** The law of truth: nothing stands in a later request that was not said there. */
export function createTruthChecker(fetched: Fetched): TruthChecker {
  /** What a call was given, and what it first returned. */
  const first = new Map<string, Thing>();
  const known = new Set<string>();
  const contradicted = new Set<string>();

  const checkCall = (thing: Thing, request: number): readonly Untruth[] => {
    const name = nameOf(thing);
    const truth = first.get(name);
    if (truth === undefined) first.set(name, thing);
    if (truth === undefined || truth.key === thing.key) return [];
    if (givesBack(thing, truth, fetched) || givesBack(truth, thing, fetched)) return [];
    return [toUntruth(thing, request, excerptOf(truth.text))];
  };

  const checkMarker = (
    { what, text, callId, marker }: Reading["things"][number],
    request: number,
  ): readonly Untruth[] => {
    const [given] = (marker === undefined ? undefined : fetched.get(marker)?.texts) ?? [];
    const whole = given === undefined ? undefined : choosePart(text, given);
    const claimed = /^\[\w+: [^\n]* lines, (\d+) chars/.exec(text)?.[1];
    if (marker === undefined || whole === undefined || claimed === undefined || contradicted.has(marker)) return [];
    contradicted.add(marker);
    return Number(claimed) === whole.length
      ? []
      : [
          toUntruth(
            { what, text, key: "", ...(callId === undefined ? {} : { callId }) },
            request,
            `${whole.length} characters`,
          ),
        ];
  };

  const checkLines = ({ handles }: Reading, request: number): readonly Untruth[] =>
    handles.flatMap(({ handle, shown }) => {
      const [whole] = fetched.get(handle)?.texts ?? [];
      const [like] = fetched.get(nameLike(handle, shown))?.texts ?? [];
      const truth = whole === undefined || contradicted.has(handle) ? "" : contradictLine(shown, whole, like);
      if (truth === "") return [];
      contradicted.add(handle);
      return [{ what: "handle", request, said: `${handle} ${excerptOf(shown)}`, truth }];
    });

  return {
    check({ index, kind, fresh }) {
      const isFirst = kind === "begun";
      const untrue = fresh.flatMap((reading) => [
        ...reading.things.filter(isOfCall).flatMap((thing) => checkCall(thing, index)),
        ...reading.things.flatMap((thing) => checkMarker(thing, index)),
        ...checkLines(reading, index),
        ...(isFirst ? [] : reading.quoted)
          .filter(({ isPerson, text }) => isPerson && !known.has(textKey(text)))
          .map(({ text }): Untruth => ({ what: "words", request: index, said: excerptOf(text), truth: "" })),
      ]);
      // An answer that nobody knows can only be the newest: whatever known thing stands behind it came later.
      const isRewritten = kind !== "begun" && kind !== "grown";
      const last = isRewritten
        ? fresh.findLastIndex((reading) => listAnswers(reading).some((key) => known.has(key)))
        : 0;
      const older = isRewritten ? fresh.slice(0, Math.max(0, last)) : [];
      const invented = older.flatMap(({ things }) =>
        things
          .filter(({ what, key }) => what === "answer" && !known.has(key))
          .map((thing) => toUntruth(thing, index, "")),
      );
      const thoughts = older.flatMap((reading) => reading.thoughts).filter((thought) => !known.has(thought));
      const violations = thoughts.map((thought): Violation => {
        return { rule: "thinking_changed", at: "messages", detail: excerptOf(thought) };
      });
      for (const { things, quoted, thoughts: own } of fresh) {
        for (const { key } of things) known.add(key);
        for (const { text } of quoted) known.add(textKey(text));
        for (const thought of own) known.add(thought);
      }
      return { untrue: [...untrue, ...invented], violations };
    },
  };
}

/** The line of the same segment whose failure a line says is its own. */
function nameLike(handle: string, shown: string): string {
  const number = / → failed: as #(\d+)$/.exec(shown)?.[1];
  return number === undefined ? "" : handle.replace(/#.*$/, `#${number}`);
}

function isOfCall({ what, callId }: Thing): boolean {
  return callId !== undefined && (what === "result" || what === "input");
}

function nameOf({ what, callId }: Thing): string {
  return `${what} ${callId}`;
}

function listAnswers({ things }: Reading): readonly string[] {
  return things.filter(({ what }) => what === "answer" || what === "input").map(({ key }) => key);
}

/** Whether one thing is a marker of ours whose handle gives the other. */
function givesBack(marker: Thing, original: Thing, fetched: Fetched): boolean {
  const isOurs = isMarker(marker.text) || marker.text.includes("[CLEARED: ");
  if (!isOurs) return false;
  const given = findHandles(marker.text).flatMap((handle) => fetched.get(handle)?.texts ?? []);
  return original.text === "" || given.some((text) => keysOfText(text).includes(original.key));
}

function toUntruth({ what, callId, text }: Thing, request: number, truth: string): Untruth {
  return { what, request, said: excerptOf(text), truth, ...(callId === undefined ? {} : { callId }) };
}
