/** If red: an answer that means no is taken for a yes, and settings are changed. */
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { createFakeTerminal } from "../../../../test/support/fake-terminal.ts";
import { confirm } from "./confirm.ts";

it.each([
  ["y\n", true],
  ["YES\n", true],
  ["\n", false],
  ["no\n", false],
  ["", false],
])("takes %j for %s", async (typed, answer) => {
  const terminal = createFakeTerminal();
  expect(await confirm("Install?", terminal, Readable.from([typed]))).toBe(answer);
  expect(terminal.remarks()).toBe("Install? [y/N] ");
});
