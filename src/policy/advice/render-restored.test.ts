import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryUnits } from "../../../test/support/arbitrary-session.ts";
import { renderRestored } from "./render-restored.ts";

const note = { text: "Port is 8080\nuse pnpm", sessionId: "s1", sessionDate: "2026-03-09T10:00:00Z" };

it("[R112] what comes from an earlier session is called historical, with its date", () => {
  expect(renderRestored(note, "s2")).toBe(
    "[historical: from the session of 2026-03-09; verify before you rely on it]\n> Port is 8080\n> use pnpm",
  );
});

it("[R112] what has no date says so", () => {
  for (const sessionDate of ["", "yesterday"])
    expect(renderRestored({ ...note, sessionDate }, "s2")).toMatch(
      /^\[historical: from an earlier session, date unknown;/,
    );
});

it("[R112] what has no session is taken for an earlier one", () => {
  expect(renderRestored({ ...note, sessionId: "" }, "")).toMatch(/^\[historical/);
});

it("what comes from this session stays as it is", () => {
  expect(renderRestored(note, "s1")).toBe(note.text);
});

const anyLines = fc.array(fc.constantFrom("a", "\n", "\r", "\u2028", "]")).map((parts) => parts.join(""));

it("[R112] no line of a restored text stands unmarked, whatever it contains", () => {
  fc.assert(
    fc.property(fc.oneof(arbitraryUnits(80), anyLines), fc.string(), (text, sessionDate) => {
      const [marker, ...lines] = renderRestored({ text, sessionId: "s1", sessionDate }, "s2").split(
        /[\n\r\u2028\u2029]/,
      );
      expect(marker).toMatch(/^\[historical: from .*\]$/);
      for (const line of lines) expect(line.startsWith(">")).toBe(true);
    }),
  );
});
