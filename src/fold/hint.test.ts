/** If red: the kind of an output is not recognised from its command, and its preview is a poor one. */
import { expect, it } from "vitest";
import { extensionOf, listPrograms, nameCommandClass } from "./hint.ts";

it.each([
  ["cd a && FOO=1 go test ./... | tail -5", ["cd", "go test", "tail"]],
  ["timeout 30 npm run build; ls", ["npm run build", "ls"]],
  ["/usr/bin/git -C x status", ["git x"]],
  ["sudo -n rg foo src || true", ["rg", "true"]],
  ["", []],
])("finds the programs of %j", (command, programs) => {
  expect(listPrograms(command)).toEqual(programs);
});

it.each([
  [{ path: "src/a.TS" }, "ts"],
  [{ command: "cat -n docs/x.md" }, "md"],
  [{ command: "cd y && sed -n '1,20p' main.go | head" }, "go"],
  [{ command: "npm test" }, ""],
  [{}, ""],
])("finds the extension of %j", (hint, extension) => {
  expect(extensionOf(hint)).toBe(extension);
});

it.each([
  ["Grep", "anything", "Grep"],
  ["Bash", "cd /x && git diff a.ts", "Bash git diff"],
  ["Bash", "echo one; git log -3", "Bash git log"],
  ["Bash", "", "Bash"],
])("names the class of %s %j", (tool, command, name) => {
  expect(nameCommandClass(tool, command)).toBe(name);
});
