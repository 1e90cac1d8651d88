import { createHash } from "node:crypto";

/** Name, version, the Node that it asks for, what it needs itself. The names are made up. */
const PACKAGES: readonly (readonly [string, string, string, readonly string[]])[] = [
  ["@quayside/bank-file", "2.4.1", ">=18", ["@quayside/iso-dates", "@quayside/xml-lines"]],
  ["@quayside/byte-pool", "1.0.6", ">=16", []],
  ["@quayside/colour-profiles", "3.2.0", ">=18", ["@quayside/byte-pool"]],
  ["@quayside/deflate", "1.9.3", ">=16", ["@quayside/byte-pool"]],
  ["@quayside/font-metrics", "5.0.2", ">=20", ["@quayside/glyph-tables", "@quayside/byte-pool"]],
  ["@quayside/glyph-tables", "5.0.2", ">=20", []],
  ["@quayside/hyphens", "2.1.8", ">=18", ["@quayside/language-tags"]],
  ["@quayside/iso-dates", "4.0.0", ">=18", []],
  ["@quayside/label-printer", "1.6.0", ">=18", ["@quayside/serial-line", "@quayside/barcode-128"]],
  ["@quayside/barcode-128", "2.0.1", ">=16", []],
  ["@quayside/language-tags", "1.3.4", ">=16", []],
  ["@quayside/layout-boxes", "3.7.5", ">=20", ["@quayside/font-metrics", "@quayside/hyphens"]],
  ["@quayside/mail", "3.0.9", ">=18", ["@quayside/mime-parts", "@quayside/queue-file"]],
  ["@quayside/mime-parts", "2.2.2", ">=16", ["@quayside/quoted-printable"]],
  ["@quayside/page-stream", "3.7.5", ">=22.4", ["@quayside/deflate", "@quayside/byte-pool"]],
  ["@quayside/pdf", "3.7.5", ">=20", ["@quayside/layout-boxes", "@quayside/page-stream", "@quayside/colour-profiles"]],
  ["@quayside/queue-file", "1.1.0", ">=18", []],
  ["@quayside/quoted-printable", "1.0.3", ">=14", []],
  ["@quayside/serial-line", "6.2.0", ">=18", ["@quayside/byte-pool"]],
  ["@quayside/xml-lines", "1.4.7", ">=16", ["@quayside/entity-names"]],
  ["@quayside/entity-names", "1.4.7", ">=16", []],
];

/** Renders `package-lock.json` in the form that omits where packages came from. */
export function renderLock(): string {
  const versions = new Map(PACKAGES.map(([name, version]) => [name, version]));
  const dependencies = Object.fromEntries(
    ["@quayside/bank-file", "@quayside/label-printer", "@quayside/mail", "@quayside/pdf"].map((name) => [
      name,
      rangeOf(name, versions),
    ]),
  );
  const root = {
    name: "chandlery",
    version: "2.3.0",
    dependencies,
    devDependencies: { tsx: "^4.23.0" },
    engines: { node: ">=20" },
  };
  const entries = [...PACKAGES]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, version, node, needs]) => {
      const needed = Object.fromEntries([...needs].sort().map((need) => [need, rangeOf(need, versions)]));
      const entry = {
        version,
        integrity: `sha512-${createHash("sha512").update(`${name}@${version}`).digest("base64")}`,
        license: "MIT",
        ...(needs.length === 0 ? {} : { dependencies: needed }),
        engines: { node },
      };
      return [`node_modules/${name}`, entry] as const;
    });
  const runner = { version: "4.23.15", dev: true, license: "MIT", engines: { node: ">=18.0.0" } };
  const head = { name: "chandlery", version: "2.3.0", lockfileVersion: 3, requires: true };
  return `${JSON.stringify({ ...head, packages: { "": root, ...Object.fromEntries(entries), "node_modules/tsx": runner } }, null, 2)}\n`;
}

function rangeOf(name: string, versions: ReadonlyMap<string, string>): string {
  return `^${versions.get(name) ?? "1.0.0"}`;
}
