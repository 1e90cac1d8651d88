import { HOSTS } from "../../../hosts/catalogue.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { ChildEnded, CliError, type Command } from "../command.ts";
import { addressClient } from "../gateway/address-client.ts";
import { GATEWAY_OPTIONS } from "../gateway/gateway-options.ts";
import { renderTotals } from "../gateway/render-totals.ts";
import { runChild } from "../gateway/run-child.ts";
import { renderJson } from "../render-json.ts";

export const runCommand: Command = {
  name: "run",
  isVerbatim: true,
  summary: "Runs a client through a gateway of its own, and says what that saved",
  staysOpen: true,
  positional: {
    name: "COMMAND",
    help: "what to run, with its own options, behind --; its exit status is passed on (127 where there is no such program)",
  },
  options: [...GATEWAY_OPTIONS, JSON_OPTION],
  examples: [
    {
      command: `plimsoll run -- ${HOSTS[0].program}`,
      shows: "the client as always, its requests through a gateway on a free port",
    },
    { command: "plimsoll run --compaction answer -- codex", shows: "Codex, and its compactions without a model" },
    { command: "plimsoll run -- node agent.mjs", shows: "any program that reads ANTHROPIC_BASE_URL" },
  ],
  async run(invocation, terminal) {
    const [program, ...words] = invocation.positionals;
    if (program === undefined) {
      throw new CliError(`plimsoll run needs a command: plimsoll run -- ${(terminal.hosts ?? HOSTS)[0].program}`);
    }
    const { openListener } = await import("../gateway/open-listener.ts");
    const client = addressClient(program, words, terminal.environment);
    const { gateway } = await openListener(invocation, terminal, { port: 0, defaultUpstream: client.upstream });
    const environment = { ...terminal.environment, ...client.environment(gateway.url) };
    const child = { environment, directory: terminal.directory };
    const ended = await runChild(program, client.words(gateway.url), child).finally(() => gateway.drain(0));
    const totals = gateway.totals();
    terminal.remark(invocation.flags.has("json") ? renderJson(totals) : `plimsoll: ${renderTotals(totals)}\n`);
    if (ended !== 0) throw new ChildEnded(ended);
  },
};
