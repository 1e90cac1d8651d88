#!/usr/bin/env node
import { readVersion } from "./help.ts";
import { createTerminal } from "./print/terminal.ts";
import { runCli } from "./run-cli.ts";

// A reader such as `head` closes the pipe when it has seen enough; that is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

runCli(process.argv.slice(2), createTerminal(), readVersion()).then((exitCode) => {
  process.exitCode = exitCode;
});
