/** If red: a setting is read with the wrong default, or a wrong value is accepted without a word. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STATE_FILES } from "../../survive/project-state/state-files.ts";
import { DEFAULT_SETTINGS, listUnheeded, parseLine, parseSettings, parseStateFiles } from "./settings.ts";

/** As a person writes them, and the fields they set. */
const SWITCHES = {
  fold: "isFolding",
  combine: "combinesOutputs",
  advisories: "hasAdvisories",
  blockAtRed: "blocksAtRed",
  remindEachPrompt: "remindsEachPrompt",
  guard: "guardsIgnored",
  packets: "sendsPackets",
  on: "isOn",
} as const;

describe("the settings", () => {
  it("have a default for everything, and without a word from the person it stands", () => {
    expect(parseSettings([])).toEqual({ settings: DEFAULT_SETTINGS, warnings: [] });
    expect(parseSettings([{}, {}])).toEqual({ settings: DEFAULT_SETTINGS, warnings: [] });
    expect(DEFAULT_SETTINGS).toMatchObject({
      compaction: "instant",
      policy: "balanced",
      early: "price",
      lineTokens: null,
      density: "asked",
      isFolding: true,
      blocksAtRed: false,
    });
  });

  it("are taken key by key from the last layer that says something", () => {
    const { settings, warnings } = parseSettings([
      { compaction: "native", fold: false, early: false },
      { compaction: "assisted", early: true },
    ]);
    expect(warnings).toEqual([]);
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, compaction: "assisted", isFolding: false, early: "price" });
  });

  it.each(Object.entries(SWITCHES))("are switched by %s, both ways, and nothing else changes", (key, field) => {
    for (const value of [true, false])
      expect(parseSettings([{ [key]: !value }, { [key]: value }]).settings).toEqual({
        ...DEFAULT_SETTINGS,
        [field]: value,
      });
  });

  it.each(["measured", "calls", "percent"] as const)("know the profile %s", (profile) => {
    expect(parseSettings([{ profile }]).settings.profile).toBe(profile);
  });

  it.each(["thrifty", "balanced", "cautious"] as const)("know the policy %s", (policy) => {
    expect(parseSettings([{ policy: "cautious" }, { policy }])).toEqual({
      settings: { ...DEFAULT_SETTINGS, policy },
      warnings: [],
    });
  });

  it.each(["price", "ask", "remind", "off"] as const)("know what to do early: %s", (early) => {
    expect(parseSettings([{ early: "off" }, { early }])).toEqual({
      settings: { ...DEFAULT_SETTINGS, early },
      warnings: [],
    });
  });

  it("take the switch that early was: true is price, false is off", () => {
    expect(parseSettings([{ early: true }]).settings.early).toBe("price");
    expect(parseSettings([{ early: false }]).settings.early).toBe("off");
  });

  it("take a line of one's own, and give it up again", () => {
    expect(parseSettings([{ line: "120k" }])).toEqual({
      settings: { ...DEFAULT_SETTINGS, lineTokens: 120_000 },
      warnings: [],
    });
    expect(parseSettings([{ line: 90_000 }, { line: false }]).settings.lineTokens).toBeNull();
    expect(parseSettings([{ line: 90_000 }, { line: "low" }])).toEqual({
      settings: { ...DEFAULT_SETTINGS, lineTokens: 90_000 },
      warnings: ['line: write a number of tokens, such as 120000 or "120k"'],
    });
  });

  it("let the load switch terse writing on only where they are asked to", () => {
    expect(parseSettings([{ density: "auto" }]).settings.density).toBe("auto");
    expect(parseSettings([{ density: true }]).warnings).toEqual(["density: choose one of asked, auto"]);
  });

  it("name what was written wrong, and the layer below stands", () => {
    const { settings, warnings } = parseSettings([
      { compaction: "native", policy: "thrifty", on: false },
      { compaction: "fast", policy: "stingy", on: "yes", profile: 3, colour: "red", early: null },
    ]);
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, compaction: "native", policy: "thrifty", isOn: false });
    expect(warnings).toEqual([
      "compaction: choose one of instant, assisted, native",
      "policy: choose one of thrifty, balanced, cautious",
      "on: write true or false",
      "profile: choose one of measured, calls, percent",
      expect.stringMatching(
        /^colour: unknown setting \(known settings: compaction, policy, early, .*line, stateFiles, statusLine, fold,/,
      ),
      "early: choose one of price, ask, remind, off",
    ]);
  });

  it("do not take the names of the program's own fields, nor those that every object has", () => {
    const hostile: unknown = JSON.parse('{"isOn": false, "__proto__": true, "constructor": true, "toString": false}');
    const layer = typeof hostile === "object" && hostile !== null ? { ...hostile } : {};
    const { settings, warnings } = parseSettings([layer]);
    expect(settings).toEqual(DEFAULT_SETTINGS);
    expect(warnings.length).toBeGreaterThanOrEqual(3);
  });

  it("pass over the name of a schema", () => {
    expect(parseSettings([{ $schema: "https://example.org/plimsoll.json" }]).warnings).toEqual([]);
  });

  it("are all documented, each with its values, the default first", () => {
    const page = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
    const documented = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
    const [warning = ""] = parseSettings([{ colour: "red" }]).warnings;
    expect(documented.toSorted()).toEqual(/\(known settings: (.*)\)/.exec(warning)?.[1]?.split(", ").toSorted());
    for (const choice of ["compaction", "policy", "early", "profile", "density"] as const)
      expect(page).toContain(`| \`${choice}\` | \`"${DEFAULT_SETTINGS[choice]}"\`, `);
  });

  it("take every value that their page names", () => {
    const page = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
    const named = [...page.matchAll(/^\| `(\w+)` \| ((?:`[^`|]+`(?:, )?)+) \|/gm)].flatMap(
      ([, key = "", values = ""]) =>
        [...values.matchAll(/`([^`]+)`/g)].map(([, value = ""]) => ({ [key]: JSON.parse(value) })),
    );
    expect(named.length).toBeGreaterThan(40);
    for (const layer of named) expect(parseSettings([layer]).warnings, JSON.stringify(layer)).toEqual([]);
  });

  it("are whole whatever is written", () => {
    const layer = fc.dictionary(
      fc.oneof(
        fc.constantFrom("compaction", "policy", "profile", "early", "line", "density", ...Object.keys(SWITCHES)),
        fc.string(),
      ),
      fc.jsonValue(),
    );
    const type = (value: unknown): string => (value === null ? "number" : typeof value);
    const types = Object.entries(DEFAULT_SETTINGS).map(([key, value]) => [key, type(value)]);
    fc.assert(
      fc.property(fc.array(layer), (layers) => {
        const plain = layers.map((each) => JSON.parse(JSON.stringify(each)));
        const { settings } = parseSettings(plain);
        expect(Object.entries(settings).map(([key, value]) => [key, type(value)])).toEqual(types);
      }),
    );
  });
});

describe("the files of the state that are wanted", () => {
  it("[R118] are named with or without their ending, or all, or none", () => {
    expect(parseStateFiles(["progress", "learnings.jsonl"])).toEqual(["progress.md", "learnings.jsonl"]);
    expect(parseStateFiles(true)).toEqual(STATE_FILES);
    expect(parseStateFiles(false)).toEqual([]);
  });

  it("are refused with a word where one is none", () => {
    for (const wrong of ["progress", ["../etc/passwd"], [7], null, {}])
      expect(parseStateFiles(wrong)).toMatch(/^write true, false or a list of checkpoint\.md, /);
  });

  it("are files of the state or words, whatever is written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const files = parseStateFiles(value);
        expect(typeof files === "string" || files.every((file) => STATE_FILES.includes(file))).toBe(true);
      }),
    );
  });
});

describe("a line of one's own", () => {
  it.each([
    [120_000, 120_000],
    ["120000", 120_000],
    ["120k", 120_000],
    [" 62.5 K ", 62_500],
    ["0.4M", 400_000],
  ])("reads %j as %i tokens", (written, tokens) => {
    expect(parseLine(written)).toBe(tokens);
  });

  it.each([
    [true],
    ["much"],
    ["-120k"],
    ["1e6"],
    ["120kk"],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [{}],
    [[120_000]],
  ])("does not take %j", (written) => {
    expect(parseLine(written)).toContain("write a number of tokens");
  });

  it.each([0, -5, 100, "12k", 39_999])("refuses %j: so little could never be kept", (written) => {
    expect(parseLine(written)).toMatch(/40000 or more|write a number/);
  });

  it("answers a number of tokens that can be kept, or words, whatever is written", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string()), (written) => {
        const line = parseLine(written);
        expect(typeof line === "string" || (Number.isInteger(line) && line >= 40_000)).toBe(true);
      }),
    );
  });
});

describe("what command hooks cannot heed", () => {
  it("is named where it is set, and only then", () => {
    expect(listUnheeded(DEFAULT_SETTINGS)).toEqual([]);
    expect(listUnheeded({ ...DEFAULT_SETTINGS, early: "ask", compaction: "assisted" })).toEqual([
      expect.stringMatching(/^"compaction": "assisted" has no effect here: /),
      expect.stringMatching(/^"early": "ask" has no effect here: /),
    ]);
  });

  it("is nothing where what is set is what happens anyway", () => {
    expect(listUnheeded({ ...DEFAULT_SETTINGS, early: "off", compaction: "native" })).toEqual([]);
  });
});
