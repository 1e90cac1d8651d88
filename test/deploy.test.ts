/** If red: the container or the composition does not start as the documents say. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { gatewayCommand } from "../src/entry/cli/commands/programs/gateway.ts";
import { createAccess, parseUsers } from "../src/entry/gateway/access.ts";
import { createFileStore } from "../src/entry/gateway/store/file-store.ts";
import { post, renderBody, toolLoop } from "./gateway/conversation.ts";
import { createFolder, openGateway } from "./gateway/open-gateway.ts";
import { startProgram } from "./gateway/program.ts";
import { openRawApi } from "./gateway/raw-api.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const DEPLOY = path.join(ROOT, "deploy");
const PORT = 8787;

/** The reader of YAML that a tool of ours brings; no machine that only tests has a container engine. */
const require = createRequire(import.meta.url);
const yaml = createRequire(require.resolve("knip"))("yaml");

const readText = (name: string): string => readFileSync(path.join(DEPLOY, name), "utf8");
const readYaml = (name: string) => yaml.parse(readText(name), { merge: true, uniqueKeys: true });

const compose = readYaml("compose.yaml");
const prometheus = readYaml("prometheus.yml");
const rules = readYaml("prometheus-rules.yml");
const dashboard = JSON.parse(readText("grafana/dashboards/plimsoll.json"));
const balancer = readText("haproxy.cfg");
const container = readText("Containerfile").replaceAll("\\\n", " ");
const gateway = compose.services.gateway;

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `exec` form of an instruction, the last one of the file. */
function readInstruction(name: string): readonly string[] {
  const line = container.split("\n").findLast((text) => text.trim().startsWith(`${name} [`)) ?? "";
  return JSON.parse(line.slice(line.indexOf("[")));
}

describe("the container", () => {
  const copied = [...container.matchAll(/\/src\/(\S+)/g)].map(([, file = ""]) => file);

  /** The container's own command in a folder that holds nothing but its own files. */
  function startCopied(files: readonly string[]) {
    const folder = createFolder();
    for (const file of files) copyFileSync(path.join(ROOT, file), path.join(folder, path.basename(file)));
    const users = path.join(folder, "users.txt");
    writeFileSync(users, `ada ${"a".repeat(16)}\n`, { mode: 0o600 });
    const reported: Readonly<Record<string, string>> = {
      "0.0.0.0": "127.0.0.1",
      [String(PORT)]: "0",
      "/data": folder,
      "/run/secrets/plimsoll_users": users,
    };
    const words = readInstruction("CMD").map((word) => reported[word] ?? word);
    const file = path.join(folder, "plimsoll.cjs");
    return { file, program: startProgram([...words, "--json"], {}, file) };
  }

  async function readUrl({ heard }: ReturnType<typeof startProgram>): Promise<string> {
    await expect.poll(() => heard.output).toContain('"url"');
    return JSON.parse(heard.output).url;
  }

  it("is built by a script of the package, from files that it makes", () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
    for (const [, script = ""] of container.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script);
    expect(copied).toContain("dist/plimsoll.cjs");
    for (const file of copied) expect(existsSync(path.join(ROOT, file)), `${file}: run npm run build`).toBe(true);
  });

  it("needs nothing next to the files that it copies: they listen, and reach for a database", async () => {
    const { file, program } = startCopied(copied);
    const url = await readUrl(program);
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.text()]).toEqual([200, "ok\n"]);
    const ready = await fetch(`${url}/readyz`);
    const said = await ready.text();
    expect([ready.status, said.split("\n")[0]]).toEqual([200, "ready"]);
    expect(said).toContain("ok thread: 2 threads\n");
    for (const part of ["store", "budget", "users", "licences"]) expect(said).toContain(`ok ${part}: `);
    expect(said).not.toContain("missing");
    expect(program.heard.remarks).not.toContain("Missing");
    expect((await fetch(`${url}/v1/messages`, { method: "POST", body: "{}" })).status).toBe(401);
    const migrate = ["gateway", "--migrate", "--store", "postgres://plimsoll@127.0.0.1:9/plimsoll"];
    const failed = startProgram(migrate, {}, file);
    expect(await failed.ended).toBe(1);
    expect(failed.heard.remarks).toContain("ECONNREFUSED");
  });

  it.each([
    ["thread", "reading-thread.cjs"],
    ["licences", "THIRD-PARTY-LICENSES.txt"],
  ])("says at its start, when it is asked, and in doctor that it has no %s", async (part, file) => {
    const { file: copy, program } = startCopied(copied.filter((each) => path.basename(each) !== file));
    const url = await readUrl(program);
    await expect.poll(() => program.heard.remarks).toContain(`Missing ${part}: ${file} is not next to the program`);
    const ready = await fetch(`${url}/readyz`);
    // It serves all the same.
    expect([ready.status, await ready.text()]).toEqual([
      200,
      expect.stringContaining(`missing ${part}: ${file} is not next to the program`),
    ]);
    const doctor = startProgram(["doctor", "--json"], {}, copy);
    await doctor.ended;
    expect(doctor.heard.output).toContain(`this installation has no ${part}: ${file}`);
  });

  it("tells its health by a command that ends", () => {
    const [program, ...words] = JSON.parse(/HEALTHCHECK.*?CMD (\[.*\])/.exec(container)?.[1] ?? "[]");
    expect(program).toBe("node");
    const checked = spawnSync(
      process.execPath,
      words.map((word: string) => word.replace(String(PORT), "9")),
    );
    expect(checked.status).toBe(1);
    expect(String(checked.stderr)).toBe("");
  });
});

describe("the composition", () => {
  it("names images as everybody does, with a version, and no registry", () => {
    const images = Object.values<{ image: string }>(compose.services).map(({ image }) => image);
    const bases = [...container.matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image);
    const foreign = [...images, ...bases].filter((image) => image !== "plimsoll");
    for (const image of foreign) expect(image).toMatch(/^(?:[a-z]+\/)?[a-z]+:[\w.-]+$/);
    expect(foreign).not.toContainEqual(expect.stringMatching(/:latest$/));
  });

  it.each(["gateway", "migrate"])("starts %s with options that the program has", (name) => {
    const [first, ...words] = list(compose.services[name].command).map(String);
    expect(first).toBe(gatewayCommand.name);
    const options = new Map(gatewayCommand.options.map((option) => [`--${option.name}`, option.value]));
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? "";
      expect([...options.keys()]).toContain(word);
      if (options.get(word) !== undefined) index++;
    }
  });

  it("agrees on the port, everywhere", () => {
    const words = list(gateway.command).map(String);
    expect(words[words.indexOf("--port") + 1]).toBe(String(PORT));
    expect(readInstruction("CMD")).toContain(String(PORT));
    expect(container).toContain(`EXPOSE ${PORT}`);
    expect(container).toContain(`http://127.0.0.1:${PORT}/healthz`);
    expect(balancer.match(/server-template \S+ \S+ gateway:(\d+)/g)).toEqual(
      Array.from({ length: 2 }, () => `server-template gateway 1-20 gateway:${PORT}`),
    );
    expect(balancer).toContain(`bind :${PORT}`);
    expect(compose.services.balancer.ports[0]).toMatch(new RegExp(`:${PORT}:${PORT}$`));
    expect(prometheus.scrape_configs[0].dns_sd_configs[0]).toMatchObject({ names: ["gateway"], port: PORT });
    expect(gatewayCommand.options.find(({ name }) => name === "port")?.help).toContain(String(PORT));
  });

  it("mounts files that are there, and publishes beyond this machine only what is asked for", () => {
    const services = Object.values<{ volumes?: unknown; ports?: unknown }>(compose.services);
    const mounted = services.flatMap(({ volumes }) =>
      list(volumes).map((volume) => String(volume).split(":")[0] ?? ""),
    );
    for (const source of mounted)
      if (source.startsWith(".")) expect(existsSync(path.join(DEPLOY, source)), source).toBe(true);
      else expect(compose.volumes).toHaveProperty(source);
    const ports = services.flatMap(({ ports: published }) => list(published).map(String));
    for (const port of ports) expect(port).toMatch(/^(?:127\.0\.0\.1|\$\{PLIMSOLL_BIND:-127\.0\.0\.1\}):/);
  });

  it("waits for the schema, and longer for an end than the gateway drains", () => {
    expect(gateway.depends_on.migrate.condition).toBe("service_completed_successfully");
    expect(gateway.deploy.replicas).toBe(3);
    expect(Number.parseInt(gateway.stop_grace_period, 10)).toBeGreaterThan(30);
    expect(gateway.secrets).toEqual(["plimsoll_users"]);
    expect(gateway.command).toContain("/run/secrets/plimsoll_users");
  });

  it("keeps every password in the environment, and says what to set", () => {
    expect(readText("compose.yaml")).not.toMatch(/PASSWORD: (?!\$\{)/);
    expect(readText("compose.yaml")).not.toMatch(/postgres:\/\/[^@\s]*:[^@\s]*@/);
    const guide = readFileSync(path.join(ROOT, "docs/gateway/fleet.md"), "utf8");
    for (const [, name = ""] of readText("compose.yaml").matchAll(/\$\{([A-Z_]+)/g)) expect(guide).toContain(name);
  });

  it("asks the instances on paths that they answer", async () => {
    const api = await openRawApi();
    const { url } = await openGateway(api.url);
    const asked = [...balancer.matchAll(/httpchk GET (\S+)/g)].map(([, place = ""]) => place);
    expect(asked).toEqual(["/readyz", "/healthz"]);
    for (const place of [...asked, String(prometheus.scrape_configs[0].metrics_path)])
      expect((await fetch(`${url}${place}`)).status).toBe(200);
    expect(balancer).toMatch(/deny .*path \/metrics/);
    expect(api.requests).toHaveLength(0);
  });
});

/** Every expression that a panel or an alert asks for. */
function listExpressions(): readonly string[] {
  const panels: readonly { targets: readonly { expr: string }[] }[] = dashboard.panels;
  const alerts: readonly { rules: readonly { expr: string }[] }[] = rules.groups;
  return [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.flatMap((group) => group.rules.map(({ expr }) => expr)),
  ];
}

/** Names and labels of everything that a gateway tells after it has seen a bit of everything. */
async function collectMetrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const api = await openRawApi((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(OK),
  );
  const whole = createFileStore({ folder: createFolder() });
  let isBroken = false;
  const holdLedger: typeof whole.holdLedger = (session, known) =>
    isBroken ? Promise.reject(new Error("planted")) : whole.holdLedger(session, known);
  const token = "a".repeat(16);
  const gateway = await openGateway(api.url, {
    store: { ...whole, holdLedger },
    access: createAccess(parseUsers(`ada ${token}`), () => 0),
  });
  const headers = { "x-plimsoll-token": token };
  await (await post(gateway.url, renderBody(toolLoop(2, 300)), headers)).text();
  await (await post(gateway.url, "not a request", headers)).text();
  await (await fetch(`${gateway.url}/v1/models`, { headers })).text();
  await post(gateway.url, renderBody(toolLoop(0, 0)));
  isBroken = true;
  await (await post(gateway.url, renderBody(toolLoop(1, 9), { metadata: {} }), headers)).text();
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const known = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const own = known.get(name) ?? new Set<string>();
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) own.add(label);
    known.set(name, own);
  }
  return known;
}

const OK = JSON.stringify({ usage: { input_tokens: 9, output_tokens: 1 } });
/** Given by Prometheus to whatever it reads. */
const SCRAPED = ["job", "instance"];

describe("what watches the fleet", () => {
  it("asks for metrics and labels that a gateway tells", async () => {
    const known = await collectMetrics();
    for (const expression of listExpressions()) {
      const names = [...expression.matchAll(/\b(?:plimsoll_gateway|process)_\w+/g)].map(([name]) => name);
      const labels = new Set([...SCRAPED, ...names.flatMap((name) => [...(known.get(name) ?? [])])]);
      const isOfPrometheus = expression.startsWith("up{");
      expect(names.length > 0 || isOfPrometheus, expression).toBe(true);
      for (const name of names) expect([...known.keys()], expression).toContain(name);
      for (const [, asked = ""] of expression.matchAll(/\b(?:by|ignoring) \(([^)]*)\)/g))
        for (const label of asked.split(/,\s*/)) expect([...labels], expression).toContain(label);
    }
  });

  it("shows everything that a gateway tells of itself", async () => {
    const shown = listExpressions().join("\n");
    const names = [...(await collectMetrics()).keys()].filter((name) => name.startsWith("plimsoll_gateway_"));
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(shown).toContain(name.replace(/_(?:sum|count)$/, "_bucket"));
  });

  it("is balanced in every bracket", () => {
    for (const expression of listExpressions())
      for (const [open, close] of ["()", "[]", "{}"].map((pair) => pair.split("")))
        expect(expression.split(open ?? "").length, expression).toBe(expression.split(close ?? "").length);
  });

  it("is provisioned: the source by its name, the dashboard where it is looked for", () => {
    const { services } = compose;
    const [source] = readYaml("grafana/provisioning/datasources/prometheus.yml").datasources;
    const [provider] = readYaml("grafana/provisioning/dashboards/plimsoll.yml").providers;
    expect(new URL(source.url).hostname in services).toBe(true);
    expect(services.prometheus.ports[0]).toMatch(new RegExp(`:${new URL(source.url).port}$`));
    expect(services.grafana.volumes).toContain(`./grafana/dashboards:${provider.options.path}:ro`);
    expect(readdirSync(path.join(DEPLOY, "grafana/dashboards"))).toEqual(["plimsoll.json"]);
    const uids = JSON.stringify(dashboard.panels).match(/"uid":"[^"]*"/g);
    expect(new Set(uids)).toEqual(new Set([`"uid":"${source.uid}"`]));
    for (const file of list(prometheus.rule_files))
      expect(services.prometheus.volumes).toContain(`./${file}:/etc/prometheus/${file}:ro`);
  });

  it("has a place of its own for every panel", () => {
    const panels: readonly { id: number; gridPos: { x: number; y: number; w: number; h: number } }[] = dashboard.panels;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });
});
