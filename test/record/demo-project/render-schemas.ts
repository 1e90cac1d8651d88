import { type Field, type Resource, typeNameOf, withArticle, wordsOf } from "./resource.ts";

/** Renders `src/model/schemas.ts`: a type and a parser for everything that the shop stores. */
export function renderSchemas(resources: readonly Resource[]): string {
  return `import type { Cents } from "../ledger/money.ts";
import { Checker, type Parsed } from "./check.ts";

${resources.map(renderResource).join("\n")}`;
}

function renderResource(resource: Resource): string {
  const { name, note, fields } = resource;
  const type = typeNameOf(name);
  const properties = fields.flatMap((field) => [
    `  /** ${field.note} */`,
    `  readonly ${field.name}${field.isOptional ? "?" : ""}: ${typeOf(resource, field)};`,
  ]);
  return `${renderChoices(resource)}/** ${note} */
export interface ${type} {
  readonly id: string;
${properties.join("\n")}
  readonly archivedOn?: string;
}

/** Reads ${withArticle(name)} without its id from the body of a request. */
export function parse${type}(body: unknown): Parsed<Omit<${type}, "id">> {
  const check = new Checker(body);
  const value: Omit<${type}, "id"> = {
${fields.map((field) => `    ${renderRead(resource, field)},`).join("\n")}
  };
${renderRule(resource)}  return check.finish(value);
}
`;
}

/** `COUPON_STATES`, so that forms can offer what parsers accept. */
function choicesNameOf(resource: Resource, field: Field): string {
  const words = `${wordsOf(resource.name)} ${wordsOf(field.name)}`.replace(/y$/, "ie").replace(/s$/, "se");
  return `${words.replaceAll(" ", "_")}s`.toUpperCase();
}

function renderChoices(resource: Resource): string {
  const lists = resource.fields.filter((field) => field.kind === "choice");
  return lists
    .map((field) => {
      const choices = field.choices.map((entry) => JSON.stringify(entry)).join(", ");
      return `export const ${choicesNameOf(resource, field)} = [${choices}] as const;\n\n`;
    })
    .join("");
}

function typeOf(resource: Resource, field: Field): string {
  switch (field.kind) {
    case "cents":
      return "Cents";
    case "whole":
      return "number";
    case "flag":
      return "boolean";
    case "choice":
      return `(typeof ${choicesNameOf(resource, field)})[number]`;
    default:
      return "string";
  }
}

function renderRead(resource: Resource, field: Field): string {
  const read = renderCheck(resource, field);
  return field.isOptional
    ? `...(check.has("${field.name}") ? { ${field.name}: ${read} } : {})`
    : `${field.name}: ${read}`;
}

function renderCheck(resource: Resource, { name, kind, min, max, pattern, ...field }: Field): string {
  const quoted = JSON.stringify(name);
  switch (kind) {
    case "text":
    case "id": {
      const least = min > 1 ? `min: ${min}, ` : "";
      return `check.text(${quoted}, { ${least}max: ${max}${pattern === "" ? "" : `, pattern: ${pattern}`} })`;
    }
    case "cents":
    case "whole":
      return `check.whole(${quoted}, { min: ${min}, max: ${max.toLocaleString("en").replaceAll(",", "_")} })`;
    case "day":
      return `check.day(${quoted})`;
    case "flag":
      return `check.flag(${quoted})`;
    case "choice":
      return `check.oneOf(${quoted}, ${choicesNameOf(resource, { name, kind, min, max, pattern, ...field })})`;
  }
}

function renderRule({ rule }: Resource): string {
  if (rule === undefined) return "";
  return `  if (check.complaints.length === 0 && ${parenthesise(rule.condition)}) {
    check.complain("${rule.field}", ${JSON.stringify(rule.message)});
  }
`;
}

function parenthesise(condition: string): string {
  return condition.includes("||") ? `(${condition})` : condition;
}
