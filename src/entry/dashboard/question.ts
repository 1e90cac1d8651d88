export type PageQuery =
  | { readonly view: "sessions" | "look-back" | "what-if" }
  /** All time unless a period is given. */
  | { readonly view: "spend"; readonly range?: DayRange | undefined }
  | { readonly view: "session" | "compactions"; readonly key: string }
  | { readonly view: "request"; readonly key: string; readonly request: number }
  | { readonly view: "block"; readonly key: string; readonly request: number; readonly block: number }
  | { readonly view: "fold"; readonly key: string; readonly handle: string };

/** `undefined` for anything else: names are only ever keys into what is already known. */
export function parseQuestion(view: string, parameters: URLSearchParams): PageQuery | undefined {
  if (view === "sessions" || view === "look-back" || view === "what-if") return { view };
  if (view === "spend") return { view, range: parseRange(parameters) };
  const key = parameters.get("key") ?? "";
  if (!isKey(key)) return undefined;
  const request = parseCount(parameters.get("request"));
  const block = parseCount(parameters.get("block"));
  const handle = parameters.get("handle") ?? "";
  switch (view) {
    case "session":
    case "compactions":
      return { view, key };
    case "request":
      return request === undefined ? undefined : { view, key, request };
    case "block":
      return request === undefined || block === undefined ? undefined : { view, key, request, block };
    case "fold":
      return /^plimsoll:[0-9a-f]{12}$/.test(handle) ? { view, key, handle } : undefined;
    default:
      return undefined;
  }
}

/** The last `last` days; or the first and the last day, such as `2026-11-16`, either of which may be missing. */
export interface DayRange {
  readonly last: number | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

function parseRange(parameters: URLSearchParams): DayRange | undefined {
  const take = (name: string): string | undefined => {
    const day = parameters.get(name) ?? "";
    return /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
  };
  const [last, from, to] = [parseCount(parameters.get("last")), take("from"), take("to")];
  return last === undefined && from === undefined && to === undefined ? undefined : { last, from, to };
}

export function isKey(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

function parseCount(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
