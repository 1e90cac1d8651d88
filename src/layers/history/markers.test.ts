/** If red: Plimsoll's own markers are taken for text of the conversation, or text for markers. */
import { expect, it } from "vitest";
import { renderMarker } from "../../fold/marker.ts";
import { isMarker } from "./markers.ts";

const HANDLE = "plimsoll:0123456789ab";
const marker = renderMarker({
  tool: "Bash",
  lines: 900,
  characters: 40_000,
  label: "head and tail",
  preview: "first\nlast",
  handle: HANDLE,
});

it("knows what a layer has left, and nothing that only begins or ends like it", () => {
  expect(isMarker(marker)).toBe(true);
  expect(isMarker(`[CLEARED: Bash] ${HANDLE}`)).toBe(true);
  expect(isMarker(`[FOLDED: ${"log line\n".repeat(9_000)}Full output: ${HANDLE}`)).toBe(false);
  expect(isMarker(`${marker}\n${"more of the log that quotes it\n".repeat(2_000)}Full output: ${HANDLE}`)).toBe(false);
  expect(isMarker(`[FOLDED: Bash output — 900 lines, 40000 chars]\nfirst`)).toBe(false);
});
