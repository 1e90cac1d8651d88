import { createTerminal } from "../src/entry/cli/print/terminal.ts";
import { runLab } from "./lab.ts";

runLab(process.argv.slice(2), createTerminal()).then((exitCode) => {
  process.exitCode = exitCode;
});
