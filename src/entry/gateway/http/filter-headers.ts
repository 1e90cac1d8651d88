/** Headers for one hop only. All others are passed on as they came, in their order and spelling. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(
  `connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding
  upgrade`.split(/\s+/),
);

/** The gateway's own header with the user's token. It is never passed on. */
export const TOKEN_HEADER = "x-plimsoll-token";

/** Names and values alternate, as in `rawHeaders`, without hop-by-hop headers and those named. */
export function filterHeaders(raw: readonly string[], without: readonly string[] = []): readonly string[] {
  const left = new Set([...HOP_BY_HOP, ...without, ...listConnectionOnly(raw)]);
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = "", value = ""] = [raw[index], raw[index + 1]];
    if (!left.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** Transfer codings other than chunked, as written: the body is passed on in them, so they are declared again. `undefined` if there are none. */
export function findTransferCoding(raw: readonly string[]): string | undefined {
  const coding = listValues(raw, "transfer-encoding").join(", ");
  return coding.split(",").some((name) => !/^\s*(?:chunked|identity)?\s*$/i.test(name)) ? coding : undefined;
}

/** Whatever `Connection` names is for this connection only. */
function listConnectionOnly(raw: readonly string[]): readonly string[] {
  const named = listValues(raw, "connection").flatMap((value) => value.toLowerCase().split(","));
  // Without its length, a body would be taken for the next request on a shared connection.
  return named.map((name) => name.trim()).filter((name) => name !== "content-length");
}

/** `name` in lower case. */
export function listValues(raw: readonly string[], name: string): readonly string[] {
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}
