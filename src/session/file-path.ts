/** One spelling per path: forward slashes, no `.` and `..`, an upper-case drive letter. Relative paths stay relative. */
export function normalizePath(path: string): string {
  const isWindows =
    /^[a-z]:[\\/]/i.test(path) || path.startsWith("\\\\") || (path.includes("\\") && !path.includes("/"));
  const slashed = isWindows ? path.replace(/\\/g, "/") : path;
  const lead = slashed.match(/^(?:[a-z]:\/|\/{1,2})/i)?.[0] ?? "";
  const parts: string[] = [];
  for (const part of slashed.slice(lead.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || lead === "") parts.push(part);
  }
  return lead.toUpperCase() + parts.join("/");
}

export function isAbsolute(path: string): boolean {
  return /^(?:\/|[a-z]:\/|~\/)/i.test(path);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
