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
import { readingCommand } from "./commands/reading.ts";
import { receiptCommand } from "./commands/receipt.ts";
import { replayCommand } from "./commands/replay.ts";
import { retrieveCommand } from "./commands/retrieve.ts";
import { rulesCommand } from "./commands/rules.ts";
import { runCommand } from "./commands/run.ts";
import { stateCommand } from "./commands/state.ts";
import { statsCommand } from "./commands/stats.ts";
import { statuslineCommand } from "./commands/statusline.ts";
import { summaryCommand } from "./commands/summary.ts";
import { telemetryCommand } from "./commands/telemetry.ts";
import { terseCommand } from "./commands/terse.ts";
import { undoCommand } from "./commands/undo.ts";
import { uninstallCommand } from "./commands/uninstall.ts";

/** Every command there is: the one list that dispatch, help and tests read. */
export const COMMANDS: readonly Command[] = [
  nowCommand,
  healthCommand,
  inspectCommand,
  statsCommand,
  replayCommand,
  readingCommand,
  telemetryCommand,
  dashboardCommand,
  decideCommand,
  stateCommand,
  summaryCommand,
  preserveCommand,
  packetCommand,
  previewCompactCommand,
  receiptCommand,
  explainCommand,
  undoCommand,
  modeCommand,
  rulesCommand,
  memoryCommand,
  foldCommand,
  terseCommand,
  artifactsCommand,
  retrieveCommand,
  auditCommand,
  lintCommand,
  previewCommand,
  mcpCommand,
  statuslineCommand,
  gatewayCommand,
  runCommand,
  installCommand,
  uninstallCommand,
  doctorCommand,
  completionCommand,
  manCommand,
];
