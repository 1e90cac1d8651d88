/** If red: a person who looks twice sees other advice each time, or is told for ever what they have left alone. */
import { expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createCalendar } from "../../recorded/calendar.ts";
import { type ChosenAdvice, chooseAdvice, keepShown, readIgnored } from "./choose-advice.ts";

const temporary = createTemporaryFolder();
const MINUTE_MS = 60_000;
const ADVICE: ChosenAdvice = {
  id: "/compact in 1",
  sentence: "The window is full.",
  command: "/compact",
  place: "client",
  savesUsd: undefined,
  file: undefined,
};

it.each([
  [0, false],
  [10, false],
  [11, true],
  [24 * 60 - 1, true],
  [24 * 60, false],
])("advice that was shown is ignored %i minutes later: %s", (minutes, isIgnored) => {
  const environment = { HOME: temporary.name("-home") };
  const at = (minute: number) => ({ environment, nowMs: () => 1e12 + minute * MINUTE_MS });
  keepShown(at(0), ADVICE);
  // Looking again begins nothing anew.
  keepShown(at(5), ADVICE);
  expect(readIgnored(at(minutes))(ADVICE.id)).toBe(isIgnored);
  expect(readIgnored(at(minutes))("/model")).toBe(false);
});

it.each([
  ["a smaller saving in the session", { savesUsd: 1.09 }, "plimsoll install", undefined],
  ["a larger saving in the session", { savesUsd: 90 }, "/compact", "1.jsonl"],
  ["a window that is nearly full", { isUrgent: true }, "/compact", "1.jsonl"],
  [
    "the same saving, said with the session",
    { savesUsd: 67.62, command: "plimsoll install" },
    "plimsoll install",
    undefined,
  ],
] as const)("the saving of the last days, next to %s", (_, advice, command, file) => {
  const around = {
    ...{
      limits: [],
      budgets: [],
      look: undefined,
      canSave: true,
      isInstalled: false,
      replay: { status: "done" } as const,
    },
    unused: {
      savedUsd: 67.62,
      days: "last 30 days",
      how: "Installed in the agent",
      command: "plimsoll install",
    } as const,
  };
  const chosen = chooseAdvice([{ file: "1.jsonl", advice: { ...ADVICE, ...advice } }], around, {
    ...{ nowMs: 0, calendar: createCalendar({}), isIgnored: () => false, nameTyped: () => "1" },
  });
  expect(chosen).toMatchObject({ command, file });
});
