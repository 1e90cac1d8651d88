#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { runCli } from "./run-cli.ts";
import { createTerminal } from "./terminal.ts";

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

const version = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};
process.exitCode = await runCli(process.argv.slice(2), createTerminal(), version.version);
