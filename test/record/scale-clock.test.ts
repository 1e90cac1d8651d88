/** If red: played sessions keep other pauses than were recorded, and their cache figures are wrong. */
import { expect, it } from "vitest";
import { scaleClock, startOf } from "./scale-clock.ts";

const transcript = `{"timestamp":"2026-01-01T00:00:00.000Z"}\n{"timestamp":"2026-01-01T00:00:01.500Z"}\n`;

it("keeps the first moment and stretches what follows", () => {
  expect(scaleClock(transcript, { startMs: startOf(transcript), factor: 60 })).toBe(
    `{"timestamp":"2026-01-01T00:00:00.000Z"}\n{"timestamp":"2026-01-01T00:01:30.000Z"}\n`,
  );
});

it("changes nothing by the factor 1", () => {
  expect(scaleClock(transcript, { startMs: startOf(transcript), factor: 1 })).toBe(transcript);
});
