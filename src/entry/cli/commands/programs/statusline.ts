import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { saveOwnSetting } from "../../../../files/project-settings.ts";
import { locateHome } from "../../../../hosts/catalogue.ts";
import { DEFAULT_SEGMENTS, STATUS_SEGMENTS, type StatusSegment } from "../../../../measure/status-line.ts";
import { CliError, type Command, defineCommand, hintAt, type Terminal } from "../../command.ts";
import { readOwnSettings } from "../../doctor/read-installed.ts";
import { canAsk } from "../../install/confirm.ts";

const STANDARD_INPUT = 0;

export const statuslineCommand: Command = defineCommand({
  name: "statusline",
  isVerbatim: true,
  summary: "Reads the agent's status as JSON from standard input, and prints a line for its status bar",
  options: {
    demo: { help: "use sample data instead of standard input" },
    segments: {
      value: "LIST",
      help: `the segments to show, in your order, from ${STATUS_SEGMENTS.join(",")}; prints a preview with sample data`,
    },
    save: {
      help: "save the segments in your plimsoll.json; without --segments, you choose them from a list with a preview",
    },
  },
  examples: {
    "plimsoll statusline --demo": "previews the line; plimsoll install --status-line installs it",
    "plimsoll statusline --segments load,today,budget,branch": "previews your own layout; add --save to keep it",
    "plimsoll statusline --demo --json": "prints the data of the line as JSON",
  },
  async run({ flags, values }, terminal) {
    // The client runs `dist/statusline.cjs` after every message, a file that loads nothing else.
    const { drawStatusText } = await import("../../../hook/status/draw-status.ts");
    const draw = (segments: readonly StatusSegment[]): string =>
      drawStatusText(renderDemo(terminal.nowMs()), describeDemo(terminal), segments)?.line ?? "";
    const given = values.get("segments");
    if (given !== undefined || flags.has("save")) {
      const segments = given === undefined ? await choose(draw, terminal) : parseSegments(given);
      terminal.print(draw(segments));
      if (flags.has("save")) terminal.print(`saved in ${saveSegments(segments, terminal)}`);
      return undefined;
    }
    const isDemo = flags.has("demo");
    if (!isDemo && process.stdin.isTTY)
      throw new CliError("plimsoll statusline reads the agent's status from standard input; --demo shows a sample");
    const text = isDemo ? renderDemo(terminal.nowMs()) : readFileSync(STANDARD_INPUT, "utf8");
    const drawn = drawStatusText(text, isDemo ? describeDemo(terminal) : terminal.environment);
    if (drawn === undefined)
      throw new CliError("standard input contains no status: pipe in the JSON that the agent sends to a status line");
    return { json: drawn.status, text: () => drawn.line };
  },
});

function parseSegments(given: string): readonly StatusSegment[] {
  const names = given.split(/[\s,]+/).filter(Boolean);
  return names.map((name) => {
    const segment = STATUS_SEGMENTS.find((known) => known === name);
    if (segment === undefined) throw new CliError(`there is no segment "${name}": ${hintAt(name, STATUS_SEGMENTS)}`);
    return segment;
  });
}

/** A number adds a segment at the end or removes it, and the line is drawn again; an empty answer ends it. */
async function choose(draw: (segments: readonly StatusSegment[]) => string, terminal: Terminal) {
  if (!canAsk(terminal))
    throw new CliError("you can choose segments from a list only in a terminal: pass them with --segments");
  let chosen = readOwnSettings(locateHome(terminal.environment), terminal.directory).settings.statusLine;
  const lines = createInterface({ input: process.stdin });
  const show = (): void => {
    const names = STATUS_SEGMENTS.map((name, index) => `${index + 1} ${name}${chosen.includes(name) ? " ✓" : ""}`);
    terminal.remark(`${draw(chosen)}\n${names.join("  ")}\ntype numbers to add or remove, or Enter to finish: `);
  };
  show();
  for await (const line of lines) {
    if (line.trim() === "") break;
    for (const word of line.trim().split(/[\s,]+/)) {
      const segment = STATUS_SEGMENTS[Number(word) - 1];
      if (segment) chosen = chosen.includes(segment) ? chosen.filter((one) => one !== segment) : [...chosen, segment];
    }
    show();
  }
  lines.close();
  return chosen.length > 0 ? chosen : DEFAULT_SEGMENTS;
}

function saveSegments(segments: readonly StatusSegment[], { environment }: Terminal): string {
  const file = path.join(locateHome(environment), "plimsoll.json");
  const problem = saveOwnSetting(file, { statusLine: segments });
  if (problem !== undefined) throw new CliError(`${file}: ${problem}`);
  return file;
}

function describeDemo({ environment, hasColour, columns }: Terminal): Readonly<Record<string, string | undefined>> {
  return { HOME: environment.HOME, COLUMNS: String(columns), ...(hasColour ? {} : { NO_COLOR: "1" }) };
}

function renderDemo(nowMs: number): string {
  return JSON.stringify({
    model: { id: "claude-opus-4-6", display_name: "Opus 4.6" },
    rate_limits: { five_hour: { used_percentage: 41, resets_at: nowMs / 1000 + 7200 } },
    cwd: process.cwd(),
    cost: { total_cost_usd: 1.83 },
    context_window: {
      context_window_size: 200_000,
      current_usage: { input_tokens: 120, cache_creation_input_tokens: 800, cache_read_input_tokens: 102_620 },
    },
    prompt_cache: { warm: true, caching_observed: true, expires_at: nowMs / 1000 + 252 },
  });
}
