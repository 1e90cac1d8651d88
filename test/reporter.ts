import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";

/**
 * Ends a run with where the time went, what passed only when it was tried again, what was skipped and why, and with one plain line
 * that any reader of logs understands: `N passed, N failed, N skipped`. Whatever makes the run
 * fail counts as failed, so that the line and the exit status agree: a test, a suite or a file that could not start, an error
 * outside of them all.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[], reason: TestRunEndReason): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    const reasons: string[] = [];
    const flaky: string[] = [];
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()]) if (suite.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") counts[state]++;
        if (test.diagnostic()?.flaky) flaky.push(`${module.relativeModuleId} > ${test.fullName}`);
        if (state === "skipped") reasons.push(/\(skipped: (.*?)\)/.exec(test.fullName)?.[1] ?? "not asked for");
      }
    }
    if (reason !== "passed") counts.failed = Math.max(1, counts.failed);
    const slowest = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: Math.round(module.diagnostic().duration / 1000) }))
      .filter(({ seconds }) => seconds >= 30)
      .sort((left, right) => right.seconds - left.seconds)
      .slice(0, 20);
    // After the default reporter's own summary, which is written in the same turn.
    setImmediate(() => {
      for (const { name, seconds } of slowest) process.stdout.write(`${seconds} s: ${name}\n`);
      for (const test of flaky) process.stdout.write(`passed only at the second try: ${test}\n`);
      for (const reason of new Set(reasons))
        process.stdout.write(`skipped: ${reason} (${reasons.filter((other) => other === reason).length})\n`);
      process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    });
  }
}
