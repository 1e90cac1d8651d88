import { type Field, type Resource, snakeOf, typeNameOf, wordsOf } from "./resource.ts";

/** Renders `src/store/statements.ts`: the SQL of the store behind the real shop. */
export function renderStatements(resources: readonly Resource[]): string {
  return `/** The SQL of the real store. Placeholders are numbered in the order of the row's fields, the id first. */

export interface Statements {
  readonly create: string;
  readonly insert: string;
  readonly find: string;
  readonly list: string;
  readonly update: string;
  readonly archive: string;
}

${resources.map(renderResource).join("\n")}
export const STATEMENTS: Readonly<Record<string, Statements>> = {
${resources.map((resource) => `  ${resource.plural}: ${resource.name}Statements,`).join("\n")}
};
`;
}

function renderResource(resource: Resource): string {
  const table = snakeOf(resource.plural);
  const columns = ["id", ...resource.fields.map((field) => snakeOf(field.name))];
  const changeable = resource.fields.filter((field) => !resource.frozen.includes(field.name));
  return `/** ${typeNameOf(wordsOf(resource.plural))}. ${renderFrozen(resource)} */
export const ${resource.name}Statements: Statements = {
  create: \`
    create table ${table} (
      id text primary key,
${resource.fields.map((field) => `      ${renderColumn(resource, field)},`).join("\n")}
      archived_on date${renderConstraints(resource)}
    )\`,
  insert: \`
    insert into ${table} (
      ${columns.join(", ")}
    ) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})
    returning *\`,
  find: \`
    select ${columns.join(", ")}, archived_on
      from ${table}
     where id = $1\`,
  list: \`
    select ${columns.join(", ")}
      from ${table}
     where archived_on is null
${resource.filters.map((filter, index) => `       and ($${index + 1}::text is null or ${snakeOf(filter)} = $${index + 1})`).join("\n")}
     order by ${snakeOf(resource.sortBy)}, id
     limit $${resource.filters.length + 1}\`,
  update: \`
    update ${table}
       set ${changeable.map((field, index) => `${snakeOf(field.name)} = coalesce($${index + 2}, ${snakeOf(field.name)})`).join(",\n           ")}
     where id = $1
       and archived_on is null
    returning *\`,
  archive: \`
    update ${table}
       set archived_on = current_date
     where id = $1
       and archived_on is null\`,
};
`;
}

function renderFrozen({ frozen }: Resource): string {
  const names = frozen.map((name) => `\`${name}\``);
  const last = names.pop() ?? "";
  return `${names.length === 0 ? last : `${names.join(", ")} and ${last}`} cannot be updated.`;
}

const TYPES: Readonly<Record<Field["kind"], string>> = {
  text: "text",
  id: "text",
  cents: "bigint",
  whole: "integer",
  day: "date",
  choice: "text",
  flag: "boolean",
};

function renderColumn(resource: Resource, field: Field): string {
  const name = snakeOf(field.name);
  const parts = [name, TYPES[field.kind], ...(field.isOptional ? [] : ["not null"])];
  if (resource.unique === field.name) parts.push("unique");
  if (field.kind === "choice") parts.push(`check (${name} in (${field.choices.map((one) => `'${one}'`).join(", ")}))`);
  if (field.kind === "cents" || field.kind === "whole")
    parts.push(`check (${name} between ${field.min} and ${field.max})`);
  if (field.kind === "text") parts.push(`check (length(${name}) <= ${field.max})`);
  return parts.join(" ");
}

function renderConstraints({ fields }: Resource): string {
  const references = fields.filter((field) => field.kind === "id" && field.name !== "orderId");
  return references
    .map(({ name }) => {
      const target = name.slice(0, -"Id".length);
      const table = target === "address" ? "addresses" : `${snakeOf(target)}s`;
      return `,\n      foreign key (${snakeOf(name)}) references ${table} (id)`;
    })
    .join("");
}
