import { type Draw, type Haystack, type HaystackMaker, plant, repeat } from "./haystack.ts";

const make =
  (kind: string, maker: (draw: Draw) => Omit<Haystack, "kind">): HaystackMaker =>
  (draw) => ({ kind, ...maker(draw) });

const clock = (index: number): string =>
  `Mar ${1 + (index % 28)} 04:${String(index % 60).padStart(2, "0")}:${String((index * 13) % 60).padStart(2, "0")}`;

/** Made to be hard, and counted once before anything was changed for them: backgrounds of several forms, with trouble of their own. */
export const HAYSTACKS_APART: readonly [HaystackMaker, ...HaystackMaker[]] = [
  make("syslog of four services", (draw) => {
    const lines = repeat(draw, (index) =>
      draw.of([
        `${clock(index)} deck sshd[${draw.below(9000)}]: Accepted publickey for ${draw.word()} from 10.0.${draw.below(255)}.${draw.below(255)} port ${draw.below(60000)}`,
        `${clock(index)} deck CRON[${draw.below(9000)}]: (root) CMD (run-parts /etc/cron.hourly)`,
        `${clock(index)} deck systemd[1]: Started Session ${index} of user ${draw.word()}.`,
        `${clock(index)} deck kernel: [${index}.${draw.below(999999)}] eth0: link up, ${draw.below(1000)} Mbps, no errors`,
      ]),
    );
    const needle = `EXT4-fs (sda${draw.below(9)}): previous I/O error to superblock ${draw.hex(6)} detected`;
    return {
      text: plant(lines, `${clock(3)} deck kernel: [77.1] ${needle}`, draw),
      command: "cat /var/log/syslog",
      needle: [needle],
    };
  }),
  make("access log", (draw) => {
    const row = (path: string, status: number): string =>
      `10.0.${draw.below(255)}.${draw.below(255)} - - [03/Mar/2026:04:05:06 +0000] "GET ${path} HTTP/1.1" ${status} ${draw.below(90000)} "-" "Mozilla/5.0 (X11; Linux x86_64)"`;
    const lines = repeat(draw, () => row(`/${draw.word()}/${draw.word()}`, draw.of([200, 200, 200, 304])), 120, 500);
    const path = `/${draw.word()}/${draw.word()}${draw.of(["../../etc/passwd", "wp-login"])}`;
    return { text: plant(lines, row(path, 500), draw), command: "cat access.log", needle: [path] };
  }),
  make("logfmt", (draw) => {
    const lines = repeat(
      draw,
      (index) =>
        `ts=2026-03-04T05:06:${10 + (index % 50)}Z level=info caller=${draw.word()}.go:${draw.below(300)} msg="compacted block" id=${draw.hex(12)} err=null`,
    );
    const needle = `msg="truncating wal ${draw.word()} segment ${draw.hex(5)}"`;
    return {
      text: plant(lines, `ts=2026-03-04T05:06:07Z level=${draw.of(["warn", "error"])} caller=wal.go:7 ${needle}`, draw),
      command: "docker logs tsdb",
      needle: [needle],
    };
  }),
  make("build with its usual warnings", (draw) => {
    const lines = repeat(draw, (index) =>
      draw.below(4) === 0
        ? `src/${draw.word()}.c:${index}:7: warning: unused variable '${draw.word()}' [-Wunused-variable]`
        : `  CC      src/${draw.word()}/${draw.word()}.o`,
    );
    const needle = `src/${draw.word()}.c:${draw.below(900)}:3: error: conflicting types for '${draw.word()}'`;
    return { text: plant(lines, needle, draw), command: "make -j8", needle: [needle] };
  }),
  make("coloured, with carriage returns", (draw) => {
    const lines = repeat(draw, (index) => `\u001b[32m✔\u001b[0m task ${draw.word()} ${index}\r`);
    const needle = `task ${draw.word()} ${draw.hex(4)} gave up`;
    return {
      text: plant(lines, `\u001b[31m✖\u001b[0m ${needle}\r`, draw),
      command: "npx lerna run build",
      needle: [needle],
    };
  }),
  make("junit xml", (draw) => {
    const lines = repeat(
      draw,
      (index) =>
        `    <testcase classname="com.example.${draw.word()}" name="${draw.word()}${index}" time="0.0${index % 9}"/>`,
    );
    const needle = `<failure message="expected ${draw.hex(5)}">`;
    return {
      text: `<?xml version="1.0"?>\n<testsuites>\n  <testsuite name="all" tests="${lines.length}">\n${plant(lines, `    <testcase classname="x" name="${draw.word()}">${needle}</failure></testcase>`, draw)}\n  </testsuite>\n</testsuites>`,
      command: "cat report.xml",
      needle: [needle],
    };
  }),
  make("ps", (draw) => {
    const row = (user: string, stat: string, command: string): string =>
      `${user.padEnd(10)} ${String(draw.below(99999)).padStart(6)}  ${draw.below(9)}.${draw.below(9)}  ${draw.below(9)}.${draw.below(9)} ${String(draw.below(999999)).padStart(8)} ?        ${stat.padEnd(4)} 10:0${draw.below(9)}   0:0${draw.below(9)} ${command}`;
    const lines = repeat(
      draw,
      () => row(draw.of(["www-data", "postgres", "root"]), draw.of(["S", "Ss"]), `/usr/bin/${draw.word()} --worker`),
      120,
      200,
    );
    const command = `/usr/bin/${draw.word()}${draw.hex(3)}`;
    return {
      text: `USER          PID %CPU %MEM      VSZ TTY      STAT START   TIME COMMAND\n${plant(lines, row("www-data", draw.of(["Z", "D"]), `${command} --worker`), draw)}`,
      command: "ps aux",
      needle: [command],
    };
  }),
  make("markdown table", (draw) => {
    const lines = repeat(
      draw,
      (index) => `| ${draw.word()}-${index} | ${draw.below(900)} ms | ✅ | ${draw.of(["main", "next"])} |`,
      120,
      300,
    );
    const name = `${draw.word()}-${draw.hex(4)}`;
    return {
      text: `| job | time | result | branch |\n| --- | --- | --- | --- |\n${plant(lines, `| ${name} | 7 ms | ${draw.of(["❌", "⚠️", "🟡"])} | main |`, draw)}`,
      command: "gh pr checks",
      needle: [name],
    };
  }),
  make("mysql box", (draw) => {
    const row = (id: number, mail: string, verified: string): string =>
      `| ${String(id).padStart(6)} | ${mail.padEnd(30)} | ${verified.padEnd(8)} |`;
    const lines = repeat(draw, (index) => row(index, `${draw.word()}@example.com`, "1"), 130, 300);
    const mail = `${draw.word()}${draw.hex(3)}@example.com`;
    const rule = "+--------+--------------------------------+----------+";
    return {
      text: `${rule}\n|     id | mail                           | verified |\n${rule}\n${plant(lines, row(5, mail, draw.of(["NULL", "0"])), draw)}\n${rule}`,
      command: "mysql -e 'select'",
      needle: [mail],
    };
  }),
  make("quoted csv", (draw) => {
    const row = (note: string, state: string): string =>
      `${draw.below(9999)},"${draw.word()}, ${draw.word()}",${draw.of(["EU", "US"])},${state},"${note}"`;
    const lines = repeat(draw, () => row(`${draw.word()} ${draw.word()}`, draw.of(["shipped", "packed"])), 130, 500);
    const note = `${draw.word()} ${draw.hex(5)}`;
    return {
      text: `id,customer,region,state,note\n${plant(lines, row(note, draw.of(["LOST", "returned", "refused"])), draw)}`,
      command: "cat orders.csv",
      needle: [note],
    };
  }),
  make("json cut off", (draw) => {
    const rows = Array.from({ length: 150 + draw.below(300) }, (_, id) => ({ id, name: draw.word(), state: "ready" }));
    const name = `${draw.word()}${draw.hex(4)}`;
    rows.splice(draw.below(rows.length - 20), 0, { id: 9, name, state: "FAILED" });
    const text = JSON.stringify({ rows }, null, 2);
    return { text: `${text.slice(0, -40)}`, command: "curl -s api", needle: ['"state": "FAILED"'] };
  }),
  make("json with one more member", (draw) => {
    const rows = Array.from({ length: 100 + draw.below(300) }, (_, id) => ({
      id,
      host: draw.word(),
      ports: [80, 443],
      up: true,
    }));
    const host = `${draw.word()}${draw.hex(4)}`;
    const odd = draw.of<object>([
      { id: 7, host, ports: [], up: true },
      { id: 7, host, ports: [80], up: false },
      { id: 7, host, ports: [80], up: true, lastError: "handshake" },
    ]);
    return {
      text: JSON.stringify({ ok: true, hosts: [...rows.slice(0, 60), odd, ...rows.slice(60)] }),
      command: "curl -s api",
      needle: [host],
    };
  }),
  make("text inside json", (draw) => {
    const lines = repeat(draw, (index) => `step ${index} of the migration applied`);
    const needle = `step ${draw.below(99)} of the migration rolled back: lock ${draw.hex(4)}`;
    return {
      text: JSON.stringify({ id: "x1", result: { exit: 0, stdout: plant(lines, needle, draw) } }),
      command: "",
      needle: [needle],
    };
  }),
  make("python tracebacks", (draw) => {
    const trace = (message: string): readonly string[] => [
      "Traceback (most recent call last):",
      ...Array.from({ length: 6 }, (_, depth) => [
        `  File "/app/${draw.of(["db", "web"])}.py", line ${10 + depth}, in ${draw.of(["run", "call"])}`,
        `    return self.${draw.of(["next", "send"])}(value)`,
      ]).flat(),
      message,
    ];
    const blocks = Array.from({ length: 14 + draw.below(30) }, (_, index) =>
      trace(`ConnectionError: peer ${index} went away`),
    );
    const needle = `KeyError: '${draw.word()}${draw.hex(4)}'`;
    blocks.splice(draw.below(blocks.length), 0, trace(needle));
    return { text: blocks.flat().join("\n"), command: "python app.py", needle: [needle] };
  }),
  make("tree", (draw) => {
    const lines = repeat(draw, (index) => `│   ├── ${draw.word()}${index}.tsx`);
    const needle = `${draw.word()}${draw.hex(3)}.${draw.of(["pem", "sqlite", "swp"])}`;
    return { text: `.\n├── src\n${plant(lines, `│   ├── ${needle}`, draw)}`, command: "tree", needle: [needle] };
  }),
  make("log read as a text file", (draw) => {
    const lines = repeat(draw, (index) => `${draw.word()} ${index} copied, verified`, 150, 500);
    const needle = `${draw.word()} ${draw.hex(4)} copied, checksum differs from source`;
    const numbered = plant(lines, needle, draw)
      .split("\n")
      .map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
    return { text: numbered.join("\n"), command: "", path: "/tmp/out.txt", needle: [needle] };
  }),
  make("eslint", (draw) => {
    const lines = repeat(draw, (index) =>
      index % 4 === 0
        ? `/app/src/${draw.word()}.ts`
        : `  ${index}:${draw.below(80)}  warning  Unexpected any. Specify a different type  @typescript-eslint/no-explicit-any`,
    );
    const needle = `error  '${draw.word()}${draw.hex(3)}' is not defined  no-undef`;
    return {
      text: `${plant(lines, `  7:1  ${needle}`, draw)}\n\n✖ ${lines.length} problems (1 error, ${lines.length - 1} warnings)`,
      command: "npx eslint .",
      needle: [needle],
    };
  }),
  make("ping", (draw) => {
    const lines = repeat(
      draw,
      (index) => `64 bytes from 10.0.0.7: icmp_seq=${index} ttl=57 time=${draw.below(90)}.${draw.below(9)} ms`,
    );
    const needle = `From 10.0.0.1 icmp_seq=${draw.below(9000)} Destination Host Unreachable`;
    return {
      text: `PING deck (10.0.0.7) 56(84) bytes of data.\n${plant(lines, needle, draw)}`,
      command: "ping deck",
      needle: [needle],
    };
  }),
];
