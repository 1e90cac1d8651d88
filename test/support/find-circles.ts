/** Files that reach one another, each group once: nobody can read one of them without the others. */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (name: string): void => {
    order.set(name, order.size);
    lowest.set(name, order.get(name) ?? 0);
    open.push(name);
    for (const target of imports.get(name) ?? []) {
      if (!imports.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(name, Math.min(lowest.get(name) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(name) !== order.get(name)) return;
    const group = open.splice(open.indexOf(name));
    if (group.length > 1) circles.push(group.sort());
  };
  for (const name of imports.keys()) if (!order.has(name)) visit(name);
  return circles;
}
