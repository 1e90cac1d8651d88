import { spawn } from "node:child_process";
import { hashText } from "../../src/core/hash.ts";
import { renderFailure } from "../../src/core/render-failure.ts";
import { CliError, type Terminal } from "../../src/entry/cli/command.ts";
import { renderSafely } from "../../src/entry/cli/print/style.ts";
import type { ReadingFolder } from "./reading-folder.ts";

/** Whoever answers prompts. */
export interface Asker {
  /** `name` says what is asked, the same every time. */
  ask(prompt: string, name: string, folder: ReadingFolder): Promise<string>;
  /** How often the same thing is worth asking. */
  readonly tries: number;
}

/** The prompt lies in a file, and nobody has answered it yet. */
export class Waiting extends Error {
  override readonly name = "Waiting";
}

/** A command of the person's own: the prompt on its standard input, the answer on its standard output. */
export function createCommandAsker(command: string, { directory, environment }: Terminal): Asker {
  return {
    tries: 2,
    ask: (prompt) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, {
          shell: true,
          cwd: directory,
          env: { ...environment },
          stdio: ["pipe", "pipe", "pipe"],
        });
        const [said, complained]: [Buffer[], Buffer[]] = [[], []];
        child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
        child.stderr.on("data", (chunk: Buffer) => complained.push(chunk));
        child.once("error", reject);
        child.once("close", (code, signal) => {
          if (code === 0) return resolve(Buffer.concat(said).toString("utf8"));
          const why = renderSafely(Buffer.concat(complained).toString("utf8")).slice(-300);
          reject(new CliError(`the command ended with ${code ?? signal}${why === "" ? "" : `: ${why}`}`));
        });
        // A command that answers without having read everything has still answered.
        child.stdin.on("error", () => undefined);
        child.stdin.end(prompt);
      }),
  };
}

/** For a person with a window to paste into: prompts into files, answers out of files that lie next to them. */
export function createMailbox(): Asker {
  return {
    tries: 1,
    ask(prompt, name, folder) {
      // Another prompt is another question, and an old answer is no answer to it.
      const file = `ask/${name}-${hashText(prompt).slice(0, 8)}`;
      const answer = `${file}.answer.txt`;
      if (folder.has(answer)) return Promise.resolve(folder.readText(answer));
      folder.writeText(`${file}.txt`, prompt);
      return Promise.reject(new Waiting(`${folder.path}/${answer}`));
    },
  };
}

export interface AskedFor<T> {
  readonly prompt: string;
  readonly name: string;
  readonly folder: ReadingFolder;
  parse(text: string): T | { readonly problem: string };
}

/** What was asked for. What is no answer is asked for once more, then told. */
export async function askFor<T extends object>(asker: Asker, wanted: AskedFor<T>): Promise<T> {
  let problem = "";
  for (let attempt = 0; attempt < asker.tries; attempt++) {
    try {
      const parsed = wanted.parse(await asker.ask(wanted.prompt, wanted.name, wanted.folder));
      if (!("problem" in parsed)) return parsed;
      problem = String(parsed.problem);
    } catch (error) {
      if (error instanceof Waiting) throw error;
      problem = renderFailure(error);
    }
  }
  throw new CliError(problem);
}
