import type { Terminal } from "./command.ts";

export interface ProgressBar {
  /** How much of the whole is done, in any unit. */
  advance(done: number, total: number): void;
  finish(): void;
}

const QUIET_MS = 1000;
const REDRAW_MS = 100;
const WIDTH = 24;

/** A bar on the error stream, only for a person, and only once the wait is longer than a second. */
export function createProgress(terminal: Terminal, label: string): ProgressBar {
  const startedMs = terminal.nowMs();
  let drawnMs = 0;
  return {
    advance(done, total) {
      const nowMs = terminal.nowMs();
      if (!terminal.isInteractive || nowMs - startedMs < QUIET_MS || nowMs - drawnMs < REDRAW_MS) return;
      drawnMs = nowMs;
      const share = total > 0 ? Math.min(1, done / total) : 0;
      const filled = Math.round(share * WIDTH);
      terminal.remark(`\r${label} ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${Math.round(share * 100)} %`);
    },
    finish() {
      if (drawnMs > 0) terminal.remark("\r\u001b[K");
    },
  };
}
