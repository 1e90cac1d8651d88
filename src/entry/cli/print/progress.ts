import type { Terminal } from "../command.ts";

export interface ProgressBar {
  /** In any unit. */
  advance(done: number, total: number): void;
  /** Draws the progress repeatedly, for work whose pieces take long. Returns a function that stops it. */
  keepDrawing(measure: () => readonly [done: number, total: number]): () => void;
  finish(): void;
}

const QUIET_MS = 500;
const REDRAW_MS = 100;
const WIDTH = 24;

/** A bar on stderr, only for a person, and only after half a second. */
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
