import { readFileSync } from "node:fs";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, type Terminal } from "../command.ts";
import { renderJson } from "../render-json.ts";

const STANDARD_INPUT = 0;

export const statuslineCommand: Command = {
  name: "statusline",
  isVerbatim: true,
  summary: "One line for the client's status bar, from the status that the client writes to standard input",
  options: [{ name: "demo", help: "draw a made-up status instead of reading one" }, JSON_OPTION],
  examples: [
    {
      command: "plimsoll statusline --demo",
      shows: "what the line looks like; plimsoll install --status-line sets it up",
    },
    { command: "plimsoll statusline --demo --json", shows: "what it is drawn from" },
  ],
  async run({ flags }, terminal) {
    // The client draws after every message, through a file that loads nothing else: `dist/statusline.cjs`.
    const { drawStatusText } = await import("../../hook/draw-status-text.ts");
    const isDemo = flags.has("demo");
    const text = isDemo ? renderDemo(terminal.nowMs()) : readStatus();
    const drawn = drawStatusText(text, isDemo ? describeDemo(terminal) : terminal.environment);
    if (drawn === undefined)
      throw new CliError("what came on standard input is no status: it is a JSON object that the client writes");
    terminal.print(flags.has("json") ? renderJson(drawn.status) : drawn.line);
  },
};

function readStatus(): string {
  if (process.stdin.isTTY)
    throw new CliError("the status comes on standard input, from the client: try plimsoll statusline --demo");
  return readFileSync(STANDARD_INPUT, "utf8");
}

function describeDemo({ environment, hasColour, columns }: Terminal): Readonly<Record<string, string | undefined>> {
  return { HOME: environment.HOME, COLUMNS: String(columns), ...(hasColour ? {} : { NO_COLOR: "1" }) };
}

function renderDemo(nowMs: number): string {
  return JSON.stringify({
    model: { id: "claude-opus-4-6" },
    cost: { total_cost_usd: 1.83 },
    context_window: {
      context_window_size: 200_000,
      current_usage: { input_tokens: 120, cache_creation_input_tokens: 800, cache_read_input_tokens: 102_620 },
    },
    prompt_cache: { warm: true, caching_observed: true, expires_at: nowMs / 1000 + 252 },
  });
}
