/** Every word that `findTrouble` goes by begins with, or holds, one of these. */
const WORDS =
  "error errors err fatal panic panics panicked exception exceptions fail fails failed failing failure failures crash crashed crashes abort aborted aborting traceback segfault segmentation dumped killed oom memory corrupt corrupted corruption mismatch mismatched mismatches invalid illegal denied refused rejected forbidden unauthorized unauthorised timed timeout timeouts unreachable unhealthy crashloopbackoff conflict conflicts cannot can could couldn unable not such space undefined unresolved missing unexpected violated violates violation leak leaks leaked broken regression overflow overflowed deadlock warn warning warnings deprecated deprecation degraded unsupported exit exited exitcode return returned code nonzero enoent eacces eperm eexist epipe eisdir enotdir enotempty emfile enospc ebusy einval erofs enomem ebadf esrch eloop eaddrinuse econnrefused econnreset econnaborted etimedout ehostunreach enetunreach enotfound eai elifecycle eresolve eintegrity";

/** What tells that a line is worth the time of `findTrouble`: words in small letters, and signs. */
export function nameSuspects(): { readonly words: readonly string[]; readonly signs: readonly string[] } {
  return { words: WORDS.split(" "), signs: ["✗", "✕", "✖", "❌", "⚠"] };
}
