import type { Shown } from "./find-shown.ts";
import type { Rows } from "./row.ts";

const HEAD = `# The seeds, one by one

Four documents, the seeds, describe what an agent's context needs. They contain 194 requirements. This page lists what Plimsoll does for each,
at which entry points, how to see it, and the setting that changes it. The entry points are those of the tests that carry its number
(\`grep -rn "\\[R14" src test\`). \`npx vitest run test/seeds -u\` writes this page and checks that every named command exists.

| | Plimsoll | entry points | to see it | setting |
|---|---|---|---|---|
`;

/** `docs/seeds.md`. */
export function renderSeeds(rows: Rows, shown: ReadonlyMap<string, readonly Shown[]>): string {
  const lines = Object.entries(rows)
    .sort(([left], [right]) => Number(left.slice(1)) - Number(right.slice(1)))
    .map(([id, { what, see, setting = "", off }]) => {
      const doors = new Set((shown.get(id) ?? []).flatMap((test) => test.doors));
      const how = off === undefined ? see : `${see} (off by default: ${off})`;
      return `| ${id} | ${what} | ${[...doors].join(", ") || "document"} | ${how} | ${setting === "" ? "" : `\`${setting}\``} |`;
    });
  return `${HEAD}${lines.join("\n")}\n`;
}
