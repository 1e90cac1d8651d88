import type { Command } from "./command.ts";
import { artifactsCommand } from "./commands/artifacts.ts";
import { auditCommand } from "./commands/audit.ts";
import { decideCommand } from "./commands/decide.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { foldCommand } from "./commands/fold.ts";
import { gatewayCommand } from "./commands/gateway.ts";
import { healthCommand } from "./commands/health.ts";
import { inspectCommand } from "./commands/inspect.ts";
import { installCommand } from "./commands/install.ts";
import { lintCommand } from "./commands/lint.ts";
import { modeCommand } from "./commands/mode.ts";
import { nowCommand } from "./commands/now.ts";
import { preserveCommand } from "./commands/preserve.ts";
import { previewCommand } from "./commands/preview.ts";
import { receiptCommand } from "./commands/receipt.ts";
import { retrieveCommand } from "./commands/retrieve.ts";
import { runCommand } from "./commands/run.ts";
import { stateCommand } from "./commands/state.ts";
import { statsCommand } from "./commands/stats.ts";
import { summaryCommand } from "./commands/summary.ts";
import { uninstallCommand } from "./commands/uninstall.ts";

/** Every command there is: the one list that dispatch, help and tests read. */
export const COMMANDS: readonly Command[] = [
  nowCommand,
  healthCommand,
  inspectCommand,
  statsCommand,
  decideCommand,
  stateCommand,
  summaryCommand,
  preserveCommand,
  receiptCommand,
  modeCommand,
  foldCommand,
  artifactsCommand,
  retrieveCommand,
  auditCommand,
  lintCommand,
  previewCommand,
  gatewayCommand,
  runCommand,
  installCommand,
  uninstallCommand,
  doctorCommand,
];
