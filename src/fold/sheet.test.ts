/** If red: line numbers in a preview are not those of the file. */
import { expect, it } from "vitest";
import { parseSheet } from "./sheet.ts";

it.each([
  ["arrows", (number: number) => `${String(number).padStart(6)}→text ${number}`],
  ["tabs", (number: number) => `${number}\ttext ${number}`],
])("sets apart the numbers that a reading tool prints with %s", (_name, line) => {
  const sheet = parseSheet([40, 41, 42, 43].map(line).join("\n"));
  expect(sheet.isNumbered).toBe(true);
  expect(sheet.lines).toEqual(["text 40", "text 41", "text 42", "text 43"]);
  expect(sheet.numbers).toEqual([40, 41, 42, 43]);
});

it("gives no number to the tool's own words around them", () => {
  const { lines, numbers } = parseSheet("The file a.ts has been updated.\n1\ta\n2\tb\n3\tc\n<note>");
  expect(lines).toEqual(["The file a.ts has been updated.", "a", "b", "c", "<note>"]);
  expect(numbers).toEqual([0, 1, 2, 3, 0]);
});

it("takes no table's first column for numbers of lines", () => {
  const { isNumbered, lines } = parseSheet("7\ta\n3\tb\n9\tc\n12\td");
  expect(isNumbered).toBe(false);
  expect(lines[0]).toBe("7\ta");
});

it("takes colours out and keeps what a progress bar ended with", () => {
  expect(parseSheet("\u001b[31mred\u001b[0m\n10 %\r50 %\r100 %\r\ndone\r").lines).toEqual(["red", "100 %", "done"]);
});
