import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, EXIT_FAILURE } from "../command.ts";
import { examine } from "../doctor/examination.ts";
import { findProblems, listNotes } from "../doctor/find-problems.ts";
import { type Diagnosis, renderDoctor } from "../doctor/render-doctor.ts";
import { CLIENT_OPTION } from "../install/find-client.ts";
import { PLUGIN_IDS } from "../install/plugin-names.ts";
import { renderJson } from "../render-json.ts";

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Whether Plimsoll works in the clients: what is installed, what ran, how fast, what failed, and what to do",
  options: [CLIENT_OPTION, JSON_OPTION],
  examples: [
    { command: "plimsoll doctor", shows: "every fault with its fix; exit status 1 where there is one" },
    { command: "plimsoll doctor --json", shows: "the same for a script, or for a report to us" },
  ],
  async run(invocation, terminal) {
    const seen = await examine(invocation, terminal);
    const diagnosis = { seen, problems: findProblems(seen, terminal.nowMs()), notes: listNotes(seen) };
    terminal.print(invocation.flags.has("json") ? renderJson(describe(diagnosis)) : renderDoctor(diagnosis, terminal));
    const count = diagnosis.problems.length;
    if (count > 0) throw new CliError(count === 1 ? "one thing is wrong" : `${count} things are wrong`, EXIT_FAILURE);
  },
};

function describe({ seen, problems, notes }: Diagnosis) {
  const { client, installed, own, journal, doors, unseen, agents, fallback, dataProblem, nodeVersion } = seen;
  return {
    isHealthy: problems.length === 0,
    problems,
    notes,
    client: client ?? null,
    plugins: installed.plugins.map((plugin) => PLUGIN_IDS[plugin]),
    hasSettingsHooks: installed.hasSettingsHooks,
    folder: installed.root ?? null,
    node: nodeVersion ?? null,
    data: { folder: `${installed.configFolder}/data/plimsoll`, problem: dataProblem ?? null },
    settings: { ...own.settings, files: own.files, warnings: own.warnings },
    sessions: journal.sessions,
    skippedLines: journal.skipped,
    doors,
    unseen,
    agents: agents.map((agent) => ({ ...agent, program: agent.program ?? null, runs: agent.runs ?? null })),
    fallbackNotes: fallback.deeds.length,
  };
}
