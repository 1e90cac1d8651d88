import { parseSync } from "oxc-parser";
import { isErrorName, isNode, isTie, isUnref, isWait, listWaits, type Node } from "./unseen.ts";

/** A piece of a source text, by its places. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** One small change to a source text that a test should notice. */
export interface Mutant {
  readonly kind: string;
  /** The statement or the whole expression around the change: one of both is what runs. */
  readonly site: Span & { readonly isStatement: boolean };
  readonly change: Span & { readonly text: string };
}

const BOUNDARIES: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const EQUALITIES: Readonly<Record<string, string>> = { "===": "!==", "!==": "===" };
const ARITHMETIC: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" };
const LOGICAL: Readonly<Record<string, string>> = { "&&": "||", "||": "&&", "??": "&&" };
const METHODS: Readonly<Record<string, string>> = {
  ...{ some: "every", every: "some", find: "findLast", findLast: "find", findIndex: "findLastIndex" },
  ...{ findLastIndex: "findIndex", indexOf: "lastIndexOf", lastIndexOf: "indexOf", startsWith: "endsWith" },
  ...{ endsWith: "startsWith", min: "max", max: "min", push: "unshift", unshift: "push", floor: "ceil" },
  ...{ ceil: "floor", padStart: "padEnd", padEnd: "padStart" },
};
/** What a list or a text stays without. */
const DROPPED = /^(?:filter|slice|sort|toSorted|reverse|toReversed|trim|trimEnd|trimStart|toLowerCase)$/;
/** Never evaluated, or not a value: a type, the name of a module, a key. */
const UNSEEN =
  /^(?:TS(?!As|Satisfies|NonNull)|Import|Export(?:All|Specifier)|TemplateElement|TaggedTemplate|JSX(?!Element|Expression|Fragment))/;

/** Every mutant of a source text, in its order. `isData` leaves out its literals: a test of those would repeat them. */
export function listMutants(
  file: string,
  text: string,
  { isData = false }: { readonly isData?: boolean } = {},
): readonly Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const waits = isNode(program) ? listWaits(program) : new Set<string>();
  const visit = (node: Node, parents: readonly Node[]): void => {
    if (UNSEEN.test(node.type) || isInternal(node) || isUnref(node) || isWait(node, parents, waits)) return;
    for (const mutant of mutate(node, parents, text))
      if (!isData || mutant.kind !== "literal") mutants.push({ ...mutant, site: widen(mutant.site, parents) });
    for (const child of listChildren(node)) visit(child, [node, ...parents]);
  };
  if (isNode(program)) visit(program, []);
  return mutants.sort((one, other) => one.site.start - other.site.start || other.site.end - one.site.end);
}

/** A thrown error says to a developer what is wrong: its words are no behaviour. */
function isInternal({ type, callee }: Node): boolean {
  return type === "NewExpression" && isNode(callee) && /Error$/.test(String(callee.name));
}

function listChildren(node: Node): readonly Node[] {
  const isName = (name: string): boolean =>
    name === "source" || ((name === "key" || name === "property") && node.computed !== true);
  return Object.entries(node).flatMap(([name, value]) => (isName(name) ? [] : [value].flat().filter(isNode)));
}

function* mutate(node: Node, parents: readonly Node[], text: string): Generator<Mutant> {
  const whole = { ...spanOf(node), isStatement: false };
  const replace = (kind: string, change: Span, by: string): Mutant => ({
    kind,
    site: whole,
    change: { ...spanOf(change), text: by },
  });
  const textOf = (part: unknown): string => (isNode(part) ? text.slice(part.start, part.end) : "");
  const [parent] = parents;
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      if (isNode(node.test)) {
        const site = { ...spanOf(node.test), isStatement: false };
        yield { kind: "condition", site, change: { ...site, text: `!(${textOf(node.test)})` } };
      }
      return;
    case "BinaryExpression":
    case "LogicalExpression":
      for (const [kind, table] of OPERATORS) {
        const by = table[String(node.operator)];
        if (by === undefined || !isNode(node.left) || !isNode(node.right)) continue;
        if (kind === "arithmetic" && [node.left, node.right].some(isText)) continue;
        if (kind === "boundary" && isTie(node)) continue;
        yield replace(kind, node, `(${textOf(node.left)}) ${by} (${textOf(node.right)})`);
      }
      return;
    case "ReturnStatement":
      if (isNode(node.argument)) yield* empty(node.argument, textOf(node.argument));
      return;
    case "ArrowFunctionExpression":
      if (isNode(node.body) && node.body.type !== "BlockStatement") yield* empty(node.body, textOf(node.body));
      return;
    case "ExpressionStatement":
      if (isNode(node.expression) && /^(?:Call|Await|Assignment|Update|Chain)Expression$/.test(node.expression.type))
        yield { kind: "statement", site: { ...whole, isStatement: true }, change: { ...spanOf(node), text: ";" } };
      return;
    case "Literal":
    case "TemplateLiteral":
      if (isAsked(parents) && !isDefault(node, parents) && !isErrorName(parents)) {
        const by = changeLiteral(node, textOf(node));
        if (by !== undefined) yield replace("literal", node, by);
      }
      return;
    case "SpreadElement":
      if (parent?.type !== "CallExpression" && parent?.type !== "NewExpression")
        yield* dropSpread(node, parent, textOf(node.argument));
      return;
    case "MemberExpression":
    case "CallExpression":
      if (node.optional === true) yield* dropOptional(node, text);
      if (node.type === "CallExpression") yield* swapMethod(node, whole);
      return;
  }
}

const OPERATORS = [
  ["boundary", BOUNDARIES],
  ["equality", EQUALITIES],
  ["arithmetic", ARITHMETIC],
  ["logical", LOGICAL],
] as const;

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

function isText({ type, value }: Node): boolean {
  return type === "TemplateLiteral" || (type === "Literal" && typeof value === "string");
}

/** What a function gives back, as nothing of its kind. */
function* empty(node: Node, text: string): Generator<Mutant> {
  const isEmpty = /^(?:\[\]|\{\}|""|undefined|null|void 0|false|0)$/.test(text);
  if (isEmpty || /^(?:Arrow|Literal|TemplateLiteral)/.test(node.type)) return;
  const by = node.type === "ArrayExpression" ? "[]" : "undefined";
  const site = { ...spanOf(node), isStatement: false };
  yield { kind: "return", site, change: { ...spanOf(node), text: by } };
}

/** Neither a directive nor a part of a pattern. */
function isAsked([parent]: readonly Node[]): boolean {
  if (parent === undefined || typeof parent.directive === "string") return false;
  return parent.type !== "JSXAttribute" && parent.type !== "ImportExpression";
}

/** `list[at] ?? 0` and `const [first = ""] = list`: the type checker asks for it where there always is one. */
function isDefault(node: Node, [parent, outer]: readonly Node[]): boolean {
  if (parent?.type === "AssignmentPattern") return parent.right === node && outer?.type === "ArrayPattern";
  if (parent?.type !== "LogicalExpression" || parent.operator !== "??" || parent.right !== node) return false;
  const asked = isNode(parent.left) && parent.left.type === "ChainExpression" ? parent.left.expression : parent.left;
  return isNode(asked) && asked.type === "MemberExpression" && asked.computed === true;
}

function changeLiteral({ value, type, expressions }: Node, text: string): string | undefined {
  if (type === "TemplateLiteral") return Array.isArray(expressions) && text !== "``" ? "``" : undefined;
  if (typeof value === "string") return value === "" ? '"mutant"' : '""';
  if (typeof value === "boolean") return String(!value);
  if (typeof value === "number") return value === 0 ? "1" : String(value * 2);
  return undefined;
}

function* dropSpread(node: Node, parent: Node | undefined, argument: string): Generator<Mutant> {
  const isList = parent?.type === "ArrayExpression";
  const inner = node.argument;
  if (!isNode(inner)) return;
  const site = { ...spanOf(inner), isStatement: false };
  if (argument !== "[]") yield { kind: "spread", site, change: { ...spanOf(inner), text: isList ? "[]" : "{}" } };
}

function* dropOptional(node: Node, text: string): Generator<Mutant> {
  const before = isNode(node.object) ? node.object : node.callee;
  if (!isNode(before)) return;
  const start = text.indexOf("?.", before.end);
  const next = text[start + 2];
  const site = { ...spanOf(node), isStatement: false };
  if (start >= 0 && start < node.end)
    yield { kind: "optional", site, change: { start, end: start + 2, text: next === "[" || next === "(" ? "" : "." } };
}

function* swapMethod(node: Node, site: Mutant["site"]): Generator<Mutant> {
  const { callee } = node;
  if (!isNode(callee) || callee.type !== "MemberExpression" || callee.computed === true) return;
  const { property, object } = callee;
  if (!isNode(property) || !isNode(object)) return;
  const name = String(property.name);
  const by = METHODS[name];
  if (Object.hasOwn(METHODS, name) && by !== undefined)
    yield { kind: "method", site, change: { ...spanOf(property), text: by } };
  if (DROPPED.test(name)) yield { kind: "method", site, change: { start: object.end, end: node.end, text: "" } };
}

/** A link of an optional chain cannot stand alone, nor a number's sign: the whole of it is the site. */
function widen(site: Mutant["site"], parents: readonly Node[]): Mutant["site"] {
  const inChain = parents.findIndex(({ type }) => !/^(?:Member|Call|TSNonNull)Expression$/.test(type));
  const chain = parents[inChain];
  const isLink =
    chain?.type === "ChainExpression" &&
    parents.slice(0, inChain).every((link, at) => isHead(link, parents[at - 1], site));
  return isLink && chain ? { ...spanOf(chain), isStatement: false } : site;
}

/** Whether what is changed is what the link is asked of, and no argument of it. */
function isHead(link: Node, inner: Node | undefined, site: Span): boolean {
  const asked = isNode(link.object) ? link.object : link.callee;
  if (!isNode(asked)) return link.expression === inner;
  return asked.start === (inner ?? site).start && asked.end === (inner ?? site).end;
}
