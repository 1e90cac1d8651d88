/** If red: a spreadsheet runs a name from a recording as a formula, or reads one row as two. */
import { expect, it } from "vitest";
import { renderCsv } from "./render-csv.ts";

it.each([
  ["a formula", "=1+1", "'=1+1"],
  ["a formula behind blanks and tabs", " \t=1+1", `'  =1+1`],
  ["an amount below zero that is a text", "-5", "'-5"],
  ["a comma and quotation marks", 'one, "two"', '"one, ""two"""'],
  ["a line break and the colours of a terminal", "one\n\u001b[31mtwo", "one  [31mtwo"],
  ["a number, which stays one", -5, "-5"],
  ["nothing", null, ""],
])("writes %s so that it is one cell and only shown", (_, cell, written) => {
  expect(renderCsv([["key", cell]])).toBe(`key,${written}\n`);
});
