import type { Command } from "./command.ts";
import { artifactsCommand } from "./commands/artifacts.ts";
import { auditCommand } from "./commands/audit.ts";
import { completionCommand } from "./commands/completion.ts";
import { dashboardCommand } from "./commands/dashboard.ts";
import { decideCommand } from "./commands/decide.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { explainCommand } from "./commands/explain.ts";
import { foldCommand } from "./commands/fold.ts";
import { gatewayCommand } from "./commands/gateway.ts";
import { healthCommand } from "./commands/health.ts";
import { inspectCommand } from "./commands/inspect.ts";
import { installCommand } from "./commands/install.ts";
import { lintCommand } from "./commands/lint.ts";
import { manCommand } from "./commands/man.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { memoryCommand } from "./commands/memory.ts";
import { modeCommand } from "./commands/mode.ts";
import { nowCommand } from "./commands/now.ts";
import { packetCommand } from "./commands/packet.ts";
import { preserveCommand } from "./commands/preserve.ts";
import { previewCommand } from "./commands/preview.ts";
import { previewCompactCommand } from "./commands/preview-compact.ts";
import { receiptCommand } from "./commands/receipt.ts";
import { replayCommand } from "./commands/replay.ts";
import { retrieveCommand } from "./commands/retrieve.ts";
import { rulesCommand } from "./commands/rules.ts";
import { runCommand } from "./commands/run.ts";
import { stateCommand } from "./commands/state.ts";
import { statsCommand } from "./commands/stats.ts";
import { statuslineCommand } from "./commands/statusline.ts";
import { summaryCommand } from "./commands/summary.ts";
import { terseCommand } from "./commands/terse.ts";
import { undoCommand } from "./commands/undo.ts";
import { uninstallCommand } from "./commands/uninstall.ts";

interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Every command there is, by what a person wants of it; the everyday ones first. Help, manual and reference follow this order. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: "Every day",
    commands: [nowCommand, statsCommand, inspectCommand, dashboardCommand, installCommand, doctorCommand],
  },
  { title: "What it costs", commands: [replayCommand, auditCommand, lintCommand] },
  {
    title: "What happened in a session",
    commands: [healthCommand, stateCommand, summaryCommand, receiptCommand, explainCommand],
  },
  {
    title: "What was folded or compacted away",
    commands: [previewCompactCommand, undoCommand, artifactsCommand, foldCommand],
  },
  {
    title: "For agents and their prompts",
    commands: [
      decideCommand,
      preserveCommand,
      packetCommand,
      modeCommand,
      rulesCommand,
      memoryCommand,
      terseCommand,
      retrieveCommand,
      previewCommand,
    ],
  },
  { title: "For other programs", commands: [gatewayCommand, runCommand, mcpCommand, statuslineCommand] },
  { title: "Plimsoll itself", commands: [uninstallCommand, completionCommand, manCommand] },
];

/** The one list that dispatch, help and tests read. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** Names that were, and what is typed now. They go on working, and say so; no list shows them. */
export const MOVED: ReadonlyMap<string, readonly string[]> = new Map([
  ["telemetry", ["inspect", "--requests"]],
  ["page", ["dashboard"]],
]);

/** Commands that measure the product: they run from the source, and are not published. */
export const IN_THE_LAB: ReadonlySet<string> = new Set(["reading"]);
