#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { isObject, textField } from "../hosts/claude-code/json-fields.ts";
import { runCli } from "./run-cli.ts";
import { createTerminal } from "./terminal.ts";

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

runCli(process.argv.slice(2), createTerminal(), readVersion()).then((exitCode) => {
  process.exitCode = exitCode;
});

/** The package's own description lies one or two folders up, for the bundle and for the plain modules. */
function readVersion(): string {
  for (const place of ["../package.json", "../../package.json"]) {
    try {
      const description: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), "utf8"));
      if (isObject(description) && description.name === "plimsoll") return textField(description, "version");
    } catch {
      // Not there: try the next.
    }
  }
  return "unknown";
}
