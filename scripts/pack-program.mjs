// Packs the command line alone: `packed/plimsoll.cjs` runs on a machine that has nothing but Node, and the `.tgz` next to it is what
// `npx` takes. Both hold the same file. It unpacks itself once into the person's cache folder and runs from there, because threads,
// the dashboard's page and the sample session must be files.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const out = path.resolve(process.argv[2] ?? "packed");

const parts = [
  ...readdirSync("dist").filter((name) => name.endsWith(".cjs")),
  ...readdirSync("dist/page").map((name) => `page/${name}`),
].map((name) => `dist/${name}`);
const { name, version, description, license, engines, type } = manifest;
const files = Object.fromEntries(
  [...parts, "samples/demo-session.jsonl"].map((file) => [file, readFileSync(file).toString("base64")]),
);
files["package.json"] = Buffer.from(JSON.stringify({ name, version, type })).toString("base64");
// Quality 9 takes a second instead of fourteen, for a tenth more bytes.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const archive = brotliCompressSync(JSON.stringify(files), quality).toString("base64");
const mark = createHash("sha256").update(archive).digest("hex").slice(0, 16);

/** Runs in the packed file, as text: it may use nothing but its arguments. */
function start(archive, folderName) {
  const fs = require("node:fs");
  const path = require("node:path");
  const os = require("node:os");
  const unpack = (folder) => {
    const files = JSON.parse(require("node:zlib").brotliDecompressSync(Buffer.from(archive, "base64")));
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      fs.writeFileSync(file, Buffer.from(content, "base64"), { mode: 0o600 });
    }
  };
  /** Whole or not at all: two first runs at the same time must not see half of each other's files. */
  const prepare = (cache) => {
    const folder = path.join(cache, folderName);
    if (fs.existsSync(folder)) return folder;
    fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
    const next = fs.mkdtempSync(`${folder}.`);
    unpack(next);
    try {
      fs.renameSync(next, folder);
    } catch {
      fs.rmSync(next, { recursive: true, force: true });
    }
    return folder;
  };
  const unpackForThisRun = () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "plimsoll-"));
    process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
    unpack(folder);
    return folder;
  };
  let folder;
  try {
    const { XDG_CACHE_HOME: cache } = process.env;
    folder = prepare(
      path.join(cache && path.isAbsolute(cache) ? cache : path.join(os.homedir(), ".cache"), "plimsoll"),
    );
  } catch {
    // A home that cannot be written: unpacked for this run alone.
    folder = unpackForThisRun();
  }
  require(path.join(folder, "dist", "plimsoll.cjs"));
}

const program = `#!/usr/bin/env node\n(${start})(${JSON.stringify(archive)}, ${JSON.stringify(`${version}-${mark}`)});\n`;
rmSync(out, { recursive: true, force: true });
const folder = path.join(out, "package");
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, "plimsoll.cjs"), program, { mode: 0o755 });
cpSync("LICENSE", path.join(folder, "LICENSE"));
cpSync("dist/THIRD-PARTY-LICENSES.txt", path.join(folder, "THIRD-PARTY-LICENSES.txt"));
const packed = { name, version, description, license, engines, bin: { plimsoll: "plimsoll.cjs" } };
writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(packed, undefined, 2)}\n`);
const { status, stderr } = spawnSync("npm", ["pack", "--ignore-scripts", "--pack-destination", out], {
  cwd: folder,
  encoding: "utf8",
});
if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
cpSync(path.join(folder, "plimsoll.cjs"), path.join(out, "plimsoll.cjs"));
rmSync(folder, { recursive: true });
process.stderr.write(`${out}: ${readdirSync(out).join(", ")}\n`);
