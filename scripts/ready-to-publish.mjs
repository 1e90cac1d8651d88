// Run by `npm publish` before anything leaves: what a registry and a directory of plugins read must be there, and agree.
// `node scripts/ready-to-publish.mjs ADDRESS` first writes the repository's address wherever it belongs: a copy of the project
// that is published from elsewhere must not name somebody else's.
import { readFileSync, writeFileSync } from "node:fs";

const PLUGINS = ["plugin/.claude-plugin/plugin.json", "plugin-classic/.claude-plugin/plugin.json"];
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);

const [address] = process.argv.slice(2);
if (address !== undefined) nameRepository(address.replace(/(?:\.git)?\/?$/, ""));
const faults = findFaults();
for (const fault of faults) console.error(`not ready: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

function nameRepository(page) {
  if (!/^https:\/\/[\w.-]+\/\S+$/.test(page)) throw new TypeError(`${page} is no https address of a repository`);
  write("package.json", {
    ...read("package.json"),
    repository: { type: "git", url: `git+${page}.git` },
    homepage: `${page}#readme`,
    bugs: `${page}/issues`,
  });
  for (const file of PLUGINS) write(file, { ...read(file), homepage: `${page}#readme`, repository: page });
}

function findFaults() {
  const manifest = read("package.json");
  const page = /^git\+(\S+)\.git$/.exec(manifest.repository?.url ?? "")?.[1];
  const plugins = PLUGINS.map((file) => ({ file, ...read(file) }));
  const changes = readFileSync("CHANGELOG.md", "utf8");
  return [
    ...(page ? [] : ["package.json names no repository: node scripts/ready-to-publish.mjs https://HOST/OWNER/NAME"]),
    ...plugins.filter(({ repository }) => repository !== page).map(({ file }) => `${file} names another repository`),
    ...plugins
      .filter(({ version }) => version !== manifest.version)
      .map(({ file, version }) => `${file} is ${version}, the package ${manifest.version}`),
    ...(changes.includes(`\n## ${manifest.version}`) ? [] : [`CHANGELOG.md has no section "## ${manifest.version}"`]),
  ];
}
