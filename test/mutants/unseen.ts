/** A piece of a syntax tree, as oxc-parser gives it. */
export interface Node {
  readonly start: number;
  readonly end: number;
  readonly type: string;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** What takes a wait in milliseconds, and which of its arguments that is. */
const WAITS: Readonly<Record<string, number>> = { setTimeout: 1, setInterval: 1, within: 0 };

/**
 * The names of numbers that say nothing but how long to wait: each use of them is the wait of a timer. A test that saw them would have to
 * watch the clock.
 */
export function listWaits(program: Node): ReadonlySet<string> {
  const declared = new Set<string>();
  const other = new Set<string>();
  const visit = (node: Node, parent: Node | undefined): void => {
    if (parent?.type === "VariableDeclarator" && parent.id === node) declared.add(nameOf(node));
    else if (node.type === "Identifier" && !isGivenAsWait(node, parent)) other.add(nameOf(node));
    for (const child of Object.values(node).flat().filter(isNode)) visit(child, node);
  };
  visit(program, undefined);
  return new Set([...declared].filter((name) => name.endsWith("_MS") && !other.has(name)));
}

/** A number that is the length of a wait, where it is given or where it is declared. */
export function isWait(node: Node, [parent]: readonly Node[], waits: ReadonlySet<string>): boolean {
  if (node.type !== "Literal") return false;
  return isGivenAsWait(node, parent) || (parent?.type === "VariableDeclarator" && waits.has(nameOf(parent.id)));
}

function isGivenAsWait(node: Node, parent: Node | undefined): boolean {
  if (parent?.type !== "CallExpression" || !Array.isArray(parent.arguments)) return false;
  const { callee } = parent;
  const isTimer =
    isNode(callee) && callee.type === "Identifier" && parent.arguments[WAITS[nameOf(callee)] ?? -1] === node;
  return isTimer || (nameOf(callee) === "timeout" && parent.arguments[0] === node);
}

/** Whether two times are compared: no user could see which of two that are the same is the later one. */
export function isTie({ left, right }: Node): boolean {
  const sides = [left, right].filter(isNode);
  return sides.some(hasTime) && !sides.some(({ type }) => type === "Literal");
}

function hasTime(node: Node): boolean {
  if (/(?:Ms|_MS)$/.test(nameOf(node))) return true;
  if (node.type === "CallExpression") return isNode(node.callee) && /^(?:now|\w*Ms)$/.test(nameOf(node.callee));
  return node.type === "BinaryExpression" && [node.left, node.right].filter(isNode).some(hasTime);
}

/** A timer or thread that does not keep the process alive: a test in a process that goes on cannot see it. */
export function isUnref({ expression }: Node): boolean {
  return isNode(expression) && expression.type === "CallExpression" && nameOf(expression.callee) === "unref";
}

/** The name of a class of errors, which only a developer reads. */
export function isErrorName([property, , errors]: readonly Node[]): boolean {
  return (
    property?.type === "PropertyDefinition" &&
    nameOf(property.key) === "name" &&
    /Error$/.test(nameOf(errors?.superClass))
  );
}

/** A name, or the last one of `a.b.c`. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  return node.type === "MemberExpression" ? nameOf(node.property) : String(node.name ?? "");
}
