import type { Command, CommandGroup } from "./command.ts";
import { decideCommand } from "./commands/agents/decide.ts";
import { explainCommand } from "./commands/agents/explain.ts";
import { foldCommand } from "./commands/agents/fold.ts";
import { healthCommand } from "./commands/agents/health.ts";
import { memoryCommand } from "./commands/agents/memory.ts";
import { modeCommand } from "./commands/agents/mode.ts";
import { packetCommand } from "./commands/agents/packet.ts";
import { preserveCommand } from "./commands/agents/preserve.ts";
import { previewCommand } from "./commands/agents/preview.ts";
import { previewCompactCommand } from "./commands/agents/preview-compact.ts";
import { receiptCommand } from "./commands/agents/receipt.ts";
import { retrieveCommand } from "./commands/agents/retrieve.ts";
import { stateCommand } from "./commands/agents/state.ts";
import { terseCommand } from "./commands/agents/terse.ts";
import { trustCommand } from "./commands/agents/trust.ts";
import { auditCommand } from "./commands/audit.ts";
import { budgetCommand } from "./commands/budget.ts";
import { dashboardCommand } from "./commands/dashboard.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { inspectCommand } from "./commands/inspect.ts";
import { installCommand } from "./commands/install.ts";
import { nowCommand } from "./commands/now.ts";
import { artifactsCommand } from "./commands/programs/artifacts.ts";
import { completionCommand } from "./commands/programs/completion.ts";
import { gatewayCommand } from "./commands/programs/gateway.ts";
import { lintCommand } from "./commands/programs/lint.ts";
import { manCommand } from "./commands/programs/man.ts";
import { mcpCommand } from "./commands/programs/mcp.ts";
import { proveCommand } from "./commands/programs/prove.ts";
import { runCommand } from "./commands/programs/run.ts";
import { statuslineCommand } from "./commands/programs/statusline.ts";
import { trimCommand } from "./commands/programs/trim.ts";
import { replayCommand } from "./commands/replay.ts";
import { statsCommand } from "./commands/stats.ts";
import { summaryCommand } from "./commands/summary.ts";
import { undoCommand } from "./commands/undo.ts";
import { uninstallCommand } from "./commands/uninstall.ts";

/**
 * Every command, grouped by who types it. `plimsoll --help` shows the twelve for people on one screen; those for skills and
 * agents, and those for programs and Plimsoll itself, have their own lists. The manual and the reference keep this order.
 */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: "For you",
    commands: [
      nowCommand,
      statsCommand,
      inspectCommand,
      dashboardCommand,
      installCommand,
      doctorCommand,
      budgetCommand,
      replayCommand,
      auditCommand,
      summaryCommand,
      undoCommand,
      uninstallCommand,
    ],
  },
  {
    title: "For agents and their prompts",
    shownBy: "agents",
    commands: [
      healthCommand,
      stateCommand,
      receiptCommand,
      explainCommand,
      decideCommand,
      preserveCommand,
      packetCommand,
      modeCommand,
      trustCommand,
      memoryCommand,
      terseCommand,
      retrieveCommand,
      previewCommand,
      previewCompactCommand,
      foldCommand,
    ],
  },
  {
    title: "For other programs",
    shownBy: "programs",
    commands: [
      gatewayCommand,
      runCommand,
      proveCommand,
      mcpCommand,
      statuslineCommand,
      lintCommand,
      trimCommand,
      artifactsCommand,
      completionCommand,
      manCommand,
    ],
  },
];

/** The one list that dispatch, help and tests read. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** Former names and their replacements. They still work and say that they moved; no list shows them. */
export const MOVED: ReadonlyMap<string, readonly string[]> = new Map([
  ["telemetry", ["inspect", "--requests"]],
  ["page", ["dashboard"]],
]);

/** Commands that measure the product. They run from the source and are not published. */
export const IN_THE_LAB: ReadonlySet<string> = new Set(["reading"]);
