import { type Haystack, type HaystackMaker, plant, repeat } from "./haystack.ts";

const make =
  (kind: string, maker: (draw: Parameters<HaystackMaker>[0]) => Omit<Haystack, "kind">): HaystackMaker =>
  (draw) => ({ kind, ...maker(draw) });

/** Outputs as well-known programs print them. */
export const HAYSTACKS_OF_PROGRAMS: readonly [HaystackMaker, ...HaystackMaker[]] = [
  make("docker build", (draw) => {
    const lines = repeat(
      draw,
      (index) =>
        `#${7 + (index % 9)} ${(index / 10).toFixed(3)} Get:${index} http://deb.example/debian bookworm/main amd64 lib${draw.word()} amd64 ${draw.below(9)}.${draw.below(40)} [${draw.below(900)} kB]`,
    );
    const needle = `E: Unable to locate package ${draw.word()}${draw.hex(3)}`;
    return {
      text: plant(lines, `#9 12.${draw.below(900)} ${needle}`, draw),
      command: "docker build .",
      needle: [needle],
    };
  }),
  make("pods", (draw) => {
    const row = (name: string, ready: string, status: string, restarts: number): string =>
      `${name.padEnd(44)}${ready.padEnd(8)}${status.padEnd(20)}${String(restarts).padEnd(11)}${1 + draw.below(90)}d`;
    const lines = repeat(
      draw,
      () => row(`${draw.word()}-${draw.hex(9)}-${draw.hex(5)}`, "1/1", "Running", draw.below(3)),
      120,
      300,
    );
    const name = `${draw.word()}-${draw.hex(9)}`;
    const text = plant(
      lines,
      row(name, "0/1", draw.of(["CrashLoopBackOff", "Evicted", "Pending", "ImagePullBackOff"]), 117),
      draw,
    );
    return {
      text: `${"NAME".padEnd(44)}${"READY".padEnd(8)}${"STATUS".padEnd(20)}${"RESTARTS".padEnd(11)}AGE\n${text}`,
      command: "kubectl get pods -A",
      needle: [name],
    };
  }),
  make("psql", (draw) => {
    const lines = repeat(
      draw,
      (index) =>
        ` ${String(index).padStart(6)} | ${draw.word().padEnd(18)} | ${draw.of(["paid", "paid", "open"]).padEnd(8)} | ${draw.below(9000)}.${10 + draw.below(89)}`,
    );
    const name = `${draw.word()}${draw.hex(3)}`;
    const text = plant(
      lines,
      ` ${"77".padStart(6)} | ${name.padEnd(18)} | ${draw.of(["disputed", "VOID", "chargeback"]).padEnd(8)} | 12.10`,
      draw,
    );
    return {
      text: `     id | customer           | state    | amount\n--------+--------------------+----------+--------\n${text}\n(${lines.length + 1} rows)`,
      command: 'psql -c "select * from invoices"',
      needle: [name],
    };
  }),
  make("pino", (draw) => {
    const line = (level: number, message: string): string =>
      JSON.stringify({
        level,
        time: 1790000000000 + draw.below(99999),
        pid: 4242,
        hostname: "deck",
        reqId: draw.hex(8),
        msg: message,
      });
    const lines = repeat(draw, () => line(30, `request completed ${draw.below(400)}`));
    const needle = `queue ${draw.word()} drained by ${draw.hex(6)}`;
    return {
      text: plant(lines, line(draw.of([50, 40, 60]), needle), draw),
      command: "kubectl logs deploy/api",
      needle: [needle],
    };
  }),
  make("pytest", (draw) => {
    const lines = repeat(
      draw,
      (index) => `tests/test_${draw.word()}.py::test_${draw.word()}_${index} PASSED [ ${index % 100}%]`,
    );
    const needle = `tests/test_${draw.word()}.py::test_${draw.word()}_${draw.hex(4)}`;
    const text = plant(lines, `${needle} ${draw.of(["FAILED", "ERROR"])} [ 50%]`, draw);
    return {
      text: `============================= test session starts ==============================\nplatform linux -- Python 3.12\n${text}\n========================= 1 failed, ${lines.length} passed in 4.2s =========================`,
      command: "pytest -v",
      needle: [needle],
    };
  }),
  make("go test", (draw) => {
    const lines = repeat(draw, (index) =>
      index % 2 === 0
        ? `=== RUN   Test${draw.word()}${index}`
        : `--- PASS: Test${draw.word()}${index} (0.0${index % 9}s)`,
    );
    const needle = `WARNING: DATA RACE in ${draw.word()}${draw.hex(3)}`;
    return {
      text: `${plant(lines, needle, draw)}\nPASS\nok  \texample.com/deck\t1.2s`,
      command: "go test -race -v ./...",
      needle: [needle],
    };
  }),
  make("cargo", (draw) => {
    const lines = repeat(
      draw,
      () => `   Compiling ${draw.word()} v${draw.below(9)}.${draw.below(20)}.${draw.below(9)}`,
      150,
      400,
    );
    const needle = `${draw.of(["error[E0308]: mismatched types in", "warning: unused import in"])} ${draw.word()}${draw.hex(3)}`;
    return { text: plant(lines, needle, draw), command: "cargo build", needle: [needle] };
  }),
  make("terraform", (draw) => {
    const lines = repeat(
      draw,
      (index) =>
        `module.${draw.word()}.aws_subnet.${draw.word()}[${index}]: Refreshing state... [id=subnet-${draw.hex(12)}]`,
    );
    const needle = `aws_db_instance.${draw.word()}${draw.hex(3)} must be replaced`;
    return { text: plant(lines, `  # ${needle}`, draw), command: "terraform plan", needle: [needle] };
  }),
  make("java traces", (draw) => {
    const trace = (message: string): readonly string[] => [
      message,
      ...Array.from(
        { length: 15 },
        (_, depth) => `\tat com.example.${draw.of(["web", "db", "core"])}.Handler.run(Handler.java:${40 + depth})`,
      ),
    ];
    const blocks = Array.from({ length: 10 + draw.below(40) }, () =>
      trace("java.net.SocketTimeoutException: Read timed out"),
    );
    const needle = `Caused by: java.sql.SQLException: ORA-${10000 + draw.below(9999)} on ${draw.word()}`;
    blocks.splice(draw.below(blocks.length), 0, [needle, "\tat com.example.db.Pool.get(Pool.java:7)"]);
    return { text: blocks.flat().join("\n"), command: "java -jar app.jar", needle: [needle] };
  }),
  make("git status", (draw) => {
    const lines = repeat(draw, (index) => ` M src/${draw.word()}/${draw.word()}${index}.rs`);
    const needle = `src/${draw.word()}/${draw.word()}${draw.hex(3)}.rs`;
    return {
      text: plant(lines, `UU ${needle}`, draw),
      command: "git status --short",
      needle: [needle.slice(needle.lastIndexOf("/") + 1)],
    };
  }),
  make("nested json", (draw) => {
    const suites = Array.from({ length: 8 + draw.below(10) }, () => ({
      suite: draw.word(),
      cases: Array.from({ length: 12 + draw.below(20) }, (_, index) => ({
        case: `${draw.word()} ${index}`,
        outcome: { state: "passed", ms: draw.below(90) },
      })),
    }));
    const suite = suites[draw.below(suites.length)];
    const name = `${draw.word()} ${draw.hex(6)}`;
    suite?.cases.splice(draw.below(suite.cases.length), 0, {
      case: name,
      outcome: { state: draw.of(["failed", "errored", "flaky"]), ms: 3 },
    });
    return { text: JSON.stringify({ version: 3, suites }, null, 1), command: "cat report.json", needle: [name] };
  }),
  make("json strings", (draw) => {
    const lines = repeat(draw, (index) => `deck plank ${index} swabbed and dry`);
    const needle = `bilge pump ${draw.hex(4)} stopped turning`;
    return { text: JSON.stringify({ lines: plant(lines, needle, draw).split("\n") }), command: "", needle: [needle] };
  }),
  make("webpack", (draw) => {
    const lines = repeat(
      draw,
      (index) =>
        `asset ${draw.word()}.${draw.hex(8)}.js ${draw.below(90)}.${draw.below(9)} KiB [emitted] [immutable] (name: ${draw.word()}${index})`,
    );
    const needle = `Module not found: Can't resolve '${draw.word()}/${draw.hex(4)}'`;
    return { text: plant(lines, needle, draw), command: "npx webpack", needle: [needle] };
  }),
  make("rsync", (draw) => {
    const lines = repeat(draw, (index) => `${draw.word()}/${draw.word()}${index}.dat`);
    const needle = `skipping non-regular file "${draw.word()}/${draw.hex(5)}"`;
    return { text: plant(lines, needle, draw), command: "rsync -av a b", needle: [needle] };
  }),
  make("refactoring diff", (draw) => {
    const head = `diff --git a/lib/${draw.word()}.py b/lib/${draw.word()}.py\n--- a/lib/x.py\n+++ b/lib/x.py\n@@ -1,900 +1,900 @@`;
    const lines = repeat(
      draw,
      (index) => (index % 2 === 0 ? `-    logger.info("step %d", ${index})` : `+    log.info("step %d", ${index})`),
      160,
      300,
    );
    const needle = `+    subprocess.run(${draw.word()}, shell=True)  # ${draw.hex(4)}`;
    return { text: `${head}\n${plant(lines, needle, draw)}`, command: "git diff", needle: [needle.slice(5)] };
  }),
];
