import { parseArgs } from "node:util";
import { CliError, type Command, type Invocation, type Option } from "./command.ts";
import { suggest } from "./suggest.ts";

/** The words after the command's name. A typo is answered with the nearest thing there is. */
export function parseInvocation(command: Command, words: readonly string[]): Invocation {
  const options = Object.fromEntries(command.options.map((option) => [option.name, toNodeOption(option)]));
  const { tokens } = parseArgs({ args: [...words], options, allowPositionals: true, strict: false, tokens: true });
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = command.options.find((candidate) => candidate.name === token.name);
    if (!option) throw unknownOption(command, token.rawName);
    if (option.value === undefined) {
      if (token.value !== undefined) throw new CliError(`--${option.name} takes no value`);
      flags.add(option.name);
      continue;
    }
    if (token.value === undefined || (!token.inlineValue && token.value.startsWith("--"))) {
      throw new CliError(`--${option.name} needs a value: --${option.name} ${option.value}`);
    }
    values.set(option.name, checkChoice(option, token.value));
  }
  if (positionals.length > 0 && !command.positional) {
    throw new CliError(`plimsoll ${command.name} takes no arguments: "${positionals[0]}" is one too many`);
  }
  return { positionals, flags, values };
}

function toNodeOption({ value, short }: Option) {
  const type = value === undefined ? ("boolean" as const) : ("string" as const);
  return short === undefined ? { type } : { type, short };
}

function checkChoice({ name, choices }: Option, value: string): string {
  if (!choices || choices.includes(value)) return value;
  throw new CliError(`--${name} takes ${choices.join(", ")}, not "${value}"`);
}

function unknownOption(command: Command, name: string): CliError {
  const known = command.options.map((option) => `--${option.name}`);
  const nearest = suggest(name, known);
  const hint = nearest === undefined ? `see: plimsoll ${command.name} --help` : `did you mean ${nearest}?`;
  return new CliError(`plimsoll ${command.name} has no option ${name}: ${hint}`);
}
