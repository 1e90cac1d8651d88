import { type Field, type Resource, typeNameOf, wordsOf } from "./resource.ts";

/** Renders `test/schemas.test.ts`: what each parser takes and refuses. */
export function renderSchemaTests(resources: readonly Resource[]): string {
  const parsers = resources.map(({ name }) => `parse${typeNameOf(name)}`).sort();
  return `import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Parsed } from "../src/model/check.ts";
import {
${parsers.map((name) => `  ${name},`).join("\n")}
} from "../src/model/schemas.ts";

/** The fields that a parser complains about. */
function blamed(parsed: Parsed<unknown>): readonly string[] {
  return parsed.ok ? [] : parsed.complaints.map((complaint) => complaint.path);
}

${resources.map(renderResource).join("\n")}`;
}

function renderResource(resource: Resource): string {
  const { name, plural, fields } = resource;
  const tests = [
    renderTest(`parses a whole ${wordsOf(name)}`, `assert.deepEqual(blamed(${call(name, `${name}`)}), []);`),
    ...renderOptional(resource),
    ...fields.filter((field) => !field.isOptional && field.kind !== "flag").map((field) => renderRefusal(name, field)),
    ...renderRule(resource),
  ];
  return `describe("${wordsOf(plural)}", () => {
  const ${name} = {
${fields.map((field) => `    ${field.name}: ${field.sample},`).join("\n")}
  };

${tests.join("\n")}});
`;
}

function call(name: string, argument: string): string {
  return `parse${typeNameOf(name)}(${argument})`;
}

function renderTest(title: string, body: string): string {
  return `  test(${JSON.stringify(title)}, () => {
    ${body}
  });
`;
}

function renderOptional({ name, fields }: Resource): readonly string[] {
  return fields
    .filter((field) => field.isOptional && field.name !== "bankReference")
    .map((field) => {
      const title = `does without ${field.name}`;
      return renderTest(
        title,
        `assert.deepEqual(blamed(${call(name, `{ ...${name}, ${field.name}: undefined }`)}), []);`,
      );
    });
}

/** A value that only just fails, with the words for it. */
function wrongValueOf(field: Field): readonly [string, string] {
  switch (field.kind) {
    case "text":
      return field.pattern === "" ? [`"x".repeat(${field.max + 1})`, "a novel"] : ['"?"', "the wrong form"];
    case "id":
      return ['""', "an empty id"];
    case "cents":
      return ["12.5", "half a cent"];
    case "whole":
      return [String(field.max + 1), "too large a number"];
    case "day":
      return ['"14.03.2026"', "another notation"];
    default:
      return ['"none of them"', "what is not on the list"];
  }
}

function renderRefusal(name: string, field: Field): string {
  const [value, words] = wrongValueOf(field);
  const change = `{ ...${name}, ${field.name}: ${value} }`;
  return renderTest(
    `refuses ${words} as ${field.name}`,
    `assert.deepEqual(blamed(${call(name, change)}), ["${field.name}"]);`,
  );
}

/** For each rule the values that break it. */
const BREAKERS: Readonly<Record<string, string>> = {
  product: 'unit: "litre", weightGrams: 90',
  stockItem: "onHand: 3, reserved: 4",
  coupon: 'validUntil: "2026-02-28"',
  shipment: 'deliveredOn: "2026-03-08"',
  payment: 'method: "bank", bankReference: undefined',
  purchase: 'dueOn: "2026-03-01"',
  returnCase: 'state: "refunded", isGoodsBack: false',
  invoice: "netCents: 100, taxCents: 101",
};

function renderRule({ name, rule }: Resource): readonly string[] {
  if (rule === undefined) return [];
  const change = `{ ...${name}, ${BREAKERS[name] ?? ""} }`;
  return [
    renderTest(
      `complains about ${rule.field}: ${rule.message}`,
      `assert.deepEqual(blamed(${call(name, change)}), ["${rule.field}"]);`,
    ),
  ];
}
