import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { writeAtomically } from "../../../../files/private-files.ts";
import { readOwnLayer } from "../../../../files/project-settings.ts";
import { locateHome } from "../../../../hosts/catalogue.ts";
import { STATUS_SEGMENTS, type StatusSegment } from "../../../../measure/status-line.ts";
import { CliError, type Command, defineCommand, hintAt, type Terminal } from "../../command.ts";

const STANDARD_INPUT = 0;

export const statuslineCommand: Command = defineCommand({
  name: "statusline",
  isVerbatim: true,
  summary: "Reads the client's status as JSON from standard input, and prints a line for its status bar",
  options: {
    demo: { help: "use sample data instead of standard input" },
    segments: {
      value: "LIST",
      help: `the segments to show, in your order, from ${STATUS_SEGMENTS.join(",")}; prints a preview with sample data`,
    },
    save: { help: "with --segments: save the segments in your plimsoll.json" },
  },
  examples: {
    "plimsoll statusline --demo": "previews the line; plimsoll install --status-line installs it",
    "plimsoll statusline --segments load,today,budget,branch": "previews your own layout; add --save to keep it",
    "plimsoll statusline --demo --json": "prints the data of the line as JSON",
  },
  async run({ flags, values }, terminal) {
    // The client runs `dist/statusline.cjs` after every message, a file that loads nothing else.
    const { drawStatusText } = await import("../../../hook/status/draw-status.ts");
    const given = values.get("segments");
    if (given === undefined && flags.has("save")) throw new CliError("--save works only with --segments");
    if (given !== undefined) {
      const segments = parseSegments(given);
      const drawn = drawStatusText(renderDemo(terminal.nowMs()), describeDemo(terminal), segments);
      terminal.print(drawn?.line ?? "");
      if (flags.has("save")) terminal.print(`saved in ${saveSegments(segments, terminal)}`);
      return undefined;
    }
    const isDemo = flags.has("demo");
    if (!isDemo && process.stdin.isTTY)
      throw new CliError("plimsoll statusline reads the client's status from standard input; --demo shows a sample");
    const text = isDemo ? renderDemo(terminal.nowMs()) : readFileSync(STANDARD_INPUT, "utf8");
    const drawn = drawStatusText(text, isDemo ? describeDemo(terminal) : terminal.environment);
    if (drawn === undefined)
      throw new CliError("standard input contains no status: pipe in the JSON that the client sends to a status line");
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

/** Leaves every other setting in the file as it is written. */
function saveSegments(segments: readonly StatusSegment[], { environment }: Terminal): string {
  const file = path.join(locateHome(environment), "plimsoll.json");
  const own = readOwnLayer(file);
  if (own && "problem" in own) throw new CliError(`${file}: ${own.problem}`);
  const settings = { ...own?.layer, statusLine: segments };
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, `${JSON.stringify(settings, undefined, 2)}\n`);
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
