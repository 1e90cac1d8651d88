import { CliError, type Command, type Terminal } from "../src/entry/cli/command.ts";
import { answerFailure, dispatchCommand } from "../src/entry/cli/run-cli.ts";
import { readingCommand } from "./reading/reading.ts";
import { labReplayCommand } from "./replay/replay.ts";
import { solvedCommand } from "./solved/solved.ts";

const COMMANDS: readonly Command[] = [labReplayCommand, readingCommand, solvedCommand];

/** `npm run lab -- COMMAND`: what measures the product, run from the source and never published. */
export function runLab(words: readonly string[], terminal: Terminal): Promise<number> {
  return answerFailure(terminal, async () => {
    const [name, ...rest] = words;
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (!command)
      throw new CliError(
        `npm run lab -- COMMAND takes ${COMMANDS.map((one) => one.name).join(", ")} or bench, each with --help`,
      );
    await dispatchCommand(command, rest, terminal);
  });
}
