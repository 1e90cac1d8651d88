/** If red: an answer that means no is taken for a yes, and settings are changed. */
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { createFakeTerminal } from "../../../../test/support/fake-terminal.ts";
import { askFirst, confirm } from "./confirm.ts";

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

it.each([
  ["y\n", "agreed", undefined],
  ["n\n", undefined, "nothing was changed"],
])("after the plan and %j says %s%s, and the plan once", async (typed, outcome, refused) => {
  const terminal = { ...createFakeTerminal(), isInteractive: true };
  const typing = Object.assign(Readable.from([typed]), { isTTY: true });
  const asked = askFirst(() => "+ a line", "Install?", { flags: new Set(), terminal }, typing);
  expect(await asked.catch(({ message }) => message)).toBe(outcome ?? refused);
  expect(terminal.remarks()).toBe("+ a line\n\nInstall? [y/N] ");
});
