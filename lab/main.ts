import { createTerminal } from "../src/doors/cli/terminal.ts";
import { runLab } from "./lab.ts";

runLab(process.argv.slice(2), createTerminal()).then((exitCode) => {
  process.exitCode = exitCode;
});
