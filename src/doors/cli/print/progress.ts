import type { Terminal } from "../command.ts";

export interface ProgressBar {
  /** How much of the whole is done, in any unit. */
  advance(done: number, total: number): void;
  /** Says how far it is again and again, for work whose pieces take long; gives back what ends it. */
  keepDrawing(measure: () => readonly [done: number, total: number]): () => void;
  finish(): void;
}

const QUIET_MS = 500;
const REDRAW_MS = 100;
const WIDTH = 24;

/** A bar on the error stream, only for a person, and only once the wait is longer than half a second. */
export function createProgress(terminal: Terminal, label: string): ProgressBar {
  const startedMs = terminal.nowMs();
  let drawnMs = 0;
  const advance = (done: number, total: number): void => {
    const nowMs = terminal.nowMs();
    if (!terminal.isInteractive || nowMs - startedMs < QUIET_MS || nowMs - drawnMs < REDRAW_MS) return;
    drawnMs = nowMs;
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const filled = Math.round(share * WIDTH);
    terminal.remark(`\r${label} ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${Math.round(share * 100)} %`);
  };
  return {
    advance,
    keepDrawing(measure) {
      if (!terminal.isInteractive) return () => undefined;
      const timer = setInterval(() => advance(...measure()), QUIET_MS);
      return () => clearInterval(timer);
    },
    finish() {
      if (drawnMs > 0) terminal.remark("\r\u001b[K");
    },
  };
}
