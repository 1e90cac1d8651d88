/**
 * Redacts what looks like a credential. For previews only: stored originals stay as they were. Every pattern is bounded and anchored by
 * fixed letters, so its time is linear in the text.
 */
export function redactSecrets(text: string): string {
  let safe = redactPrivateKeys(text);
  if (!SUSPICIOUS.test(safe)) return safe;
  safe = safe.replace(KNOWN_TOKENS, MASK);
  if (safe.includes("://")) safe = safe.replace(URL_PASSWORD, `$1${MASK}@`);
  if (!NAMED.test(safe)) return safe;
  safe = safe.replace(AUTHORISATION, `$1${MASK}`);
  if (safe.includes("=")) safe = safe.replace(ENVIRONMENT_LINE, `$1${MASK}`);
  // `key` or `auth` alone name no secret, and the two patterns below would try every word to find that out.
  if (!SECRET_NAME.test(safe)) return safe;
  safe = safe.replace(QUOTED_VALUE, `$1${MASK}`);
  return safe.replace(BARE_VALUE, `$1${MASK}`);
}

const MASK = "[REDACTED]";

/** A cheap check that most lines do not pass; the careful patterns run on the rest. */
const SUSPICIOUS =
  /key|token|secret|pass|pwd|credential|auth|bearer|basic|:\/\/|eyJ|sk-|AKIA|ASIA|gh[a-z]_|github_pat|glpat|xox|AIza|_live_|_test_|npm_|hf_|SG\./i;

/** No pattern that goes by a name can match without one of these words. */
const NAMED = /key|token|secret|pass|pwd|credential|auth|bearer|basic/i;

/** Issuers that mark their tokens. The word boundary in front makes each run be tried once, not at each letter. */
const KNOWN_TOKENS: RegExp = new RegExp(
  [
    "\\bsk-[\\w-]{12,400}", // Anthropic, OpenAI and those who copied them
    "\\b(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{12,40}", // AWS
    "\\bgh[a-z]_[A-Za-z0-9]{16,260}", // GitHub
    "\\bgithub_pat_\\w{16,260}",
    "\\bglpat-[\\w-]{16,100}", // GitLab
    "\\bxox[a-z]-[\\w-]{10,260}", // Slack
    "\\bAIza[\\w-]{30,60}", // Google
    "\\b[a-z]{2}_(?:live|test)_\\w{10,260}", // Stripe
    "\\bnpm_[A-Za-z0-9]{20,80}",
    "\\bhf_[A-Za-z0-9]{20,80}", // Hugging Face
    "\\bSG\\.[\\w-]{16,60}\\.[\\w-]{16,100}", // SendGrid
    "\\beyJ[\\w-]{10,8000}(?:\\.[\\w-]{1,8000}){0,2}", // JWT, also one that was cut off
  ].join("|"),
  "g",
);

const URL_PASSWORD = /(:\/\/[^\s:/@"']{0,80}:)[^\s/@"']{1,200}@/g;
const AUTHORISATION = /(\b(?:bearer|basic)\s{1,4})[\w.~+/=-]{12,8000}/gi;

const SECRET_WORD =
  "(?:passw(?:or)?d|passphrase|pwd|secret|token(?!s)|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?)";

const SECRET_NAME: RegExp = new RegExp(SECRET_WORD, "i");

/** `.env` lines: the value of a name in capitals that mentions a secret, without spaces around the sign. */
const ENVIRONMENT_LINE =
  /(\b[A-Z][A-Z0-9_]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?|AUTH)(?:_[A-Z0-9]{1,20})?=)(?!\[REDACTED\]|\$|["']?\$\{)(?:"[^"\n]{1,4000}"?|'[^'\n]{1,4000}'?|[^\s"']{1,4000})/g;

/** `"password": "x"`, `apiKey = 'x'`, `--token="x"`: a literal in quotes. */
const QUOTED_VALUE: RegExp = new RegExp(
  `(\\b[\\w-]{0,40}${SECRET_WORD}\\w{0,20}\\\\{0,2}["']?\\s{0,4}(?:[:=]|=>|:=)\\s{0,4}\\\\{0,2})(?:"(?!\\[REDACTED\\])[^"\\n]{4,4000}"?|'(?!\\[REDACTED\\])[^'\\n]{4,4000}'?|\`[^\`\\n$]{4,4000}\`?)`,
  "gi",
);

/** `password: hunter22`, `token=ab12cd34`, `--api-key ab12cd34`: a bare word of letters and a digit that is not a call. */
const BARE_VALUE: RegExp = new RegExp(
  `(\\b[\\w-]{0,40}${SECRET_WORD}[\\w-]{0,20}["']?\\s{0,4}[:=]\\s{0,4}|--[\\w-]{0,40}${SECRET_WORD}[\\w-]{0,20}\\s{1,4})(?!\\[REDACTED\\])(?=[^\\s\\d]{0,200}\\d)(?=[^\\sa-zA-Z]{0,200}[a-zA-Z])[^\\s"'()<>{}\\[\\],;]{6,4000}(?![\\w(])`,
  "gi",
);

const BEGIN = "-----BEGIN ";
const MAX_KEY_LENGTH = 16_384;

/** Armoured keys are removed line by line, so that later lines keep their numbers. */
function redactPrivateKeys(text: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
  let safe = "";
  let from = 0;
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, from)) {
    const head = text.slice(at, at + 64);
    const opening = /^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY[A-Z ]{0,10}-----/.exec(head)?.[0];
    if (opening === undefined) {
      safe += text.slice(from, at + BEGIN.length);
      from = at + BEGIN.length;
      continue;
    }
    const body = at + opening.length;
    const end = text.indexOf("-----END ", body);
    const close = end < 0 || end - body > MAX_KEY_LENGTH ? Math.min(text.length, body + MAX_KEY_LENGTH) : end;
    safe += text.slice(from, body) + text.slice(body, close).replace(/[^\r\n]{1,20000}/g, MASK);
    from = close;
  }
  return safe + text.slice(from);
}
