import type { Shown } from "./find-shown.ts";
import type { Row, Rows } from "./row.ts";

const HEAD = `# The seeds, one by one

For people who check Plimsoll against its specification. Four documents, the seeds, state 208 requirements for an agent's context. This page lists what Plimsoll does for each, at which entry points, how to see it, and the setting that changes it. The entry points are those of the tests that carry its number
(\`grep -rn "\\[R14" src test\`); "client" is Claude Code, through both the module and the command hooks. \`npx vitest run test/seeds -u\` writes this page.

What Plimsoll does:

`;

/** `docs/seeds.md`. Requirements in a row that are seen the same way share a line. */
export function renderSeeds(rows: Rows, shown: ReadonlyMap<string, readonly Shown[]>): string {
  const lines: { ids: string[]; what: string[]; seen: string }[] = [];
  for (const [id, row] of Object.entries(rows).sort(
    ([left], [right]) => Number(left.slice(1)) - Number(right.slice(1)),
  )) {
    const seen = `${renderEntryPoints((shown.get(id) ?? []).flatMap((test) => test.entryPoints))} ${renderSee(row)}`;
    const last = lines.at(-1);
    if (last?.seen === seen) {
      last.ids.push(id);
      last.what.push(row.what);
    } else lines.push({ ids: [id], what: [row.what], seen });
  }
  return `${HEAD}${lines.map(({ ids, what, seen }) => `- ${ids.join(", ")}: ${what.join("; ")} ${seen}`).join("\n")}\n`;
}

function renderEntryPoints(all: readonly string[]): string {
  const entryPoints = new Set(all);
  const isInClient = entryPoints.has("module") && entryPoints.has("hooks");
  const named = [...entryPoints].filter(
    (entryPoint) => !isInClient || (entryPoint !== "module" && entryPoint !== "hooks"),
  );
  return `(${[...named, ...(isInClient ? ["client"] : [])].join(", ") || "document"}):`;
}

function renderSee({ see, setting, off }: Row): string {
  return [
    see,
    ...(setting === undefined ? [] : [`setting \`${setting}\``]),
    ...(off === undefined ? [] : [`off by default: ${off}`]),
  ].join("; ");
}
