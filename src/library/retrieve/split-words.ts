/** `parseHTTPReply2`, `parse_http-reply` and "parse HTTP reply" have the same words: parse, http, reply. */
export function splitTerms(name: string): readonly string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase());
}

/** What words are compared by. A final e goes last, so that "cache", "caches" and "caching" meet. */
export function stemsOf(text: string): readonly string[] {
  return splitTerms(text).map((word) => trimEnding(word).replace(/(?<=.{3})e$/, ""));
}

/** A word without its commonest English endings, so that "retries" finds "retry" as well. */
export function trimEnding(word: string): string {
  const bare = word
    .replace(/(?<=.{3})(?:ies|ied)$/, "y")
    .replace(/(?<=.{4})(?:ing|ed)$/, "")
    .replace(/(?<=(?:ss|x|z|ch|sh))es$/, "")
    .replace(/(?<=.{2}[^su])s$/, "");
  // "stopping" and "stopped" end in a doubled letter now.
  return bare !== word && /([bdgmnprt])\1$/.test(bare) ? bare.slice(0, -1) : bare;
}
