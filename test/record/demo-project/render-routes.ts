import { type Resource, typeNameOf, withArticle, wordsOf } from "./resource.ts";

/** Renders `src/http/routes.ts`: list, show, create, change, archive and what else can happen to each resource. */
export function renderRoutes(resources: readonly Resource[]): string {
  const types = resources.flatMap(({ name }) => [`parse${typeNameOf(name)}`, `type ${typeNameOf(name)}`]).sort(byName);
  return `import type { Parsed } from "../model/check.ts";
import {
${types.map((name) => `  ${name},`).join("\n")}
} from "../model/schemas.ts";
import { HttpError, type Reply, type Route, type RouteContext } from "./router.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

${resources.map(renderResource).join("\n")}
/** Every route of the shop, in the order in which they are tried. */
export const routes: readonly Route[] = [
${resources.map((resource) => `  ...${resource.name}Routes,`).join("\n")}
];
${HELPERS}${renderRequires(resources)}`;
}

function byName(a: string, b: string): number {
  const [left = "", right = ""] = [a, b].map((name) => name.replace("type ", ""));
  return left < right ? -1 : 1;
}

function renderResource(resource: Resource): string {
  const { name, plural, note } = resource;
  return `/** ${note} */
const ${name}Routes: readonly Route[] = [
${renderList(resource)}${renderShow(resource)}${renderCreate(resource)}${renderChange(resource)}${renderAction(resource)}  {
    method: "DELETE",
    path: "/${plural}/:id",
    handle({ params, store, today }) {
      const row = store.update<${typeNameOf(name)}>("${plural}", params.id ?? "", { archivedOn: today });
      if (row === undefined) throw new HttpError(404, \`there is no ${wordsOf(name)} \${params.id}\`);
      return { status: 204, body: null };
    },
  },
];
`;
}

function renderList({ name, plural, filters, sortBy, fields }: Resource): string {
  const conditions = filters.map((filter) => `matches(query, "${filter}", row.${filter})`);
  const isText = fields.some((field) => field.name === sortBy && field.kind !== "whole");
  const compare = isText ? `a.${sortBy}.localeCompare(b.${sortBy})` : `a.${sortBy} - b.${sortBy}`;
  return `  {
    method: "GET",
    path: "/${plural}",
    handle({ query, store }) {
      const rows = store.list<${typeNameOf(name)}>("${plural}", (row) => ${conditions.join(" && ")});
      return page([...rows].sort((a, b) => ${compare} || a.id.localeCompare(b.id)), query);
    },
  },
`;
}

function renderShow({ name, plural }: Resource): string {
  return `  {
    method: "GET",
    path: "/${plural}/:id",
    handle(context) {
      const row = require${typeNameOf(name)}(context);
      return { status: row.archivedOn === undefined ? 200 : 410, body: row };
    },
  },
`;
}

function renderCreate({ name, plural, prefix, unique }: Resource): string {
  const type = typeNameOf(name);
  const conflict =
    unique === undefined
      ? ""
      : `      const twin = store.list<${type}>("${plural}", (row) => isSame(row.${unique}, value.${unique}))[0];
      if (twin !== undefined) throw new HttpError(409, \`${wordsOf(name)} \${twin.id} has this ${wordsOf(unique)} already\`);
`;
  return `  {
    method: "POST",
    path: "/${plural}",
    handle({ body, store }) {
      const value = accept(parse${type}(body));
${conflict}      return { status: 201, body: store.insert("${plural}", { id: store.nextId("${prefix}"), ...value }) };
    },
  },
`;
}

function renderChange({ name, plural, frozen }: Resource): string {
  const type = typeNameOf(name);
  return `  {
    method: "PATCH",
    path: "/${plural}/:id",
    handle(context) {
      const row = require${type}(context);
      const changes = readChanges(context.body, [${frozen.map((field) => `"${field}"`).join(", ")}]);
      const value = accept(parse${type}({ ...row, ...changes }));
      return { status: 200, body: context.store.update<${type}>("${plural}", row.id, value) };
    },
  },
`;
}

function renderAction({ name, plural, action }: Resource): string {
  if (action === undefined) return "";
  const usesToday = `${action.changes} ${action.isRefusedIf}`.includes("today");
  return `  {
    // ${action.note}
    method: "POST",
    path: "/${plural}/:id/${action.verb}",
    handle(context) {
      const row = require${typeNameOf(name)}(context);
${usesToday ? "      const { today } = context;\n" : ""}      if (${action.isRefusedIf}) throw new HttpError(409, \`${wordsOf(name)} \${row.id} ${action.refusal}\`);
      return { status: 200, body: context.store.update<${typeNameOf(name)}>("${plural}", row.id, { ${action.changes} }) };
    },
  },
`;
}

/** One line per resource: the row of a path, or a 404 that names it. */
function renderRequires(resources: readonly Resource[]): string {
  return resources
    .map(
      ({ name, plural }) => `
function require${typeNameOf(name)}({ params, store }: RouteContext): ${typeNameOf(name)} {
  const row = store.find<${typeNameOf(name)}>("${plural}", params.id ?? "");
  if (row === undefined) throw new HttpError(404, \`\${params.id} is not ${withArticle(name)} that we know\`);
  return row;
}
`,
    )
    .join("");
}

const HELPERS = `
/** A parsed body, or a 422 with every complaint in it. */
function accept<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  const reasons = parsed.complaints.map(({ path, message }) => \`\${path} \${message}\`.trim());
  throw new HttpError(422, reasons.join("; "));
}

/** The fields that a PATCH wants to change; those that must stay are refused by name. */
function readChanges(body: unknown, frozen: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof body !== "object" || body === null) throw new HttpError(422, "the body must be an object");
  const refused = Object.keys(body).filter((field) => frozen.includes(field));
  if (refused.length > 0) throw new HttpError(422, \`\${refused.join(", ")} cannot be changed\`);
  return body as Readonly<Record<string, unknown>>;
}

function matches(query: URLSearchParams, name: string, value: unknown): boolean {
  const wanted = query.get(name);
  return wanted === null || wanted === String(value ?? "");
}

function isSame(a: string | number, b: string | number): boolean {
  return String(a).toLowerCase() === String(b).toLowerCase();
}

/** A page of rows that begins behind the id given as \`after\`. */
function page(rows: readonly { readonly id: string }[], query: URLSearchParams): Reply {
  const limit = Math.min(MAX_LIMIT, Math.max(1, Number(query.get("limit") ?? DEFAULT_LIMIT) || DEFAULT_LIMIT));
  const start = rows.findIndex((row) => row.id === query.get("after")) + 1;
  const shown = rows.slice(start, start + limit);
  const next = start + limit < rows.length ? (shown.at(-1)?.id ?? null) : null;
  return { status: 200, body: { rows: shown, total: rows.length, next } };
}
`;
