/**
 * Redacts what looks like a credential. For previews only: stored originals stay as they were. Every pattern is bounded and anchored by
 * fixed letters, so its time is linear in the text.
 */
export function redactSecrets(text: string): string {
  let safe = redactPrivateKeys(text);
  if (ISSUED_STARTS.test(safe)) safe = safe.replace(ISSUED_TOKENS, MASK);
  if (!SIGNS.test(safe)) return safe;
  for (const { sign, pattern } of SURROUNDED) if (sign.test(safe)) safe = safe.replace(pattern, `$1${MASK}`);
  return safe;
}

const MASK = "[REDACTED]";

/** Tokens that their issuer marks: how each starts, and what follows. */
export const ISSUED: readonly (readonly [issuer: string, start: string, rest: string])[] = [
  ["Anthropic, OpenAI and those who copied them", "sk-", "[\\w-]{12,400}"],
  ["AWS", "(?:AKIA|ASIA|AROA|AIDA)", "[0-9A-Z]{12,40}"],
  ["GitHub", "gh[a-z]_", "[A-Za-z0-9]{16,260}"],
  ["GitHub, fine-grained", "github_pat_", "\\w{16,260}"],
  ["GitLab", "gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-", "[\\w-]{16,100}"],
  ["Slack", "xox[a-z]-", "[\\w-]{10,260}"],
  ["Slack, for an app", "xapp-", "[\\w-]{10,260}"],
  ["Google", "AIza", "[\\w-]{30,60}"],
  ["Google, a client's secret", "GOCSPX-", "[\\w-]{20,60}"],
  ["Google, an access token", "ya29\\.", "[\\w-]{20,600}"],
  ["Stripe", "[a-z]{2}_(?:live|test)_", "\\w{10,260}"],
  ["Stripe, a webhook", "whsec_", "\\w{20,260}"],
  ["npm", "npm_", "[A-Za-z0-9]{20,80}"],
  ["PyPI", "pypi-", "[\\w-]{40,260}"],
  ["RubyGems", "rubygems_", "[a-f0-9]{40,64}"],
  ["Docker Hub", "dckr_[a-z]{3}_", "[\\w-]{20,80}"],
  ["Hugging Face", "hf_", "[A-Za-z0-9]{20,80}"],
  ["Groq", "gsk_", "[A-Za-z0-9]{30,80}"],
  ["Replicate", "r8_", "[A-Za-z0-9]{30,60}"],
  ["Perplexity", "pplx-", "[A-Za-z0-9]{30,80}"],
  ["SendGrid", "SG\\.", "[\\w-]{16,60}\\.[\\w-]{16,100}"],
  ["Twilio", "SK", "[0-9a-f]{32}\\b"],
  ["Mailgun", "key-", "[0-9a-f]{32}\\b"],
  ["Shopify", "shp[a-z]{2}_", "[0-9a-fA-F]{32,64}"],
  ["Square", "sq0[a-z]{3}-", "[\\w-]{20,50}"],
  ["DigitalOcean", "do[a-z]_v1_", "[a-f0-9]{20,80}"],
  ["HashiCorp Vault", "hv[a-z]\\.", "[\\w-]{20,260}"],
  ["HashiCorp Terraform", "atlasv1\\.", "[\\w-]{40,100}"],
  ["Databricks", "dapi", "[0-9a-f]{32}\\b"],
  ["Grafana", "gls?[ac]_", "[\\w+/=-]{30,400}"],
  ["Sentry", "sntry[a-z]_", "[\\w+/=-]{30,400}"],
  ["New Relic", "NR[A-Z]{2}-", "[A-Z0-9]{27}\\b"],
  ["Postman", "PMAK-", "[\\w-]{40,80}"],
  ["Linear", "lin_api_", "[A-Za-z0-9]{30,60}"],
  ["Notion", "ntn_", "[A-Za-z0-9]{40,60}"],
  ["Figma", "figd_", "[\\w-]{30,60}"],
  ["Supabase", "sbp_", "[a-f0-9]{40}\\b"],
  ["PlanetScale", "pscale_[a-z]{2,5}_", "[\\w.-]{30,80}"],
  ["Tailscale", "tskey-", "[\\w-]{20,80}"],
  ["Atlassian", "ATATT3", "[\\w=-]{50,260}"],
  ["age", "AGE-SECRET-KEY-1", "[0-9A-Z]{40,80}"],
  ["Azure, a client's secret", "\\w{3}[78]Q~", "[\\w.~-]{31,34}"],
  ["Telegram, a bot", "\\d{6,12}:A[\\w-]{34}", "(?![\\w-])"],
  [
    "Discord, a bot",
    "[MNO](?=[A-Za-z_]{0,26}\\d)\\w{23,27}\\.[\\w-]{6}\\.",
    "(?=[A-Za-z_-]{0,44}\\d)[\\w-]{27,45}(?![\\w-])",
  ],
  // Also one that was cut off.
  ["a JSON web token", "eyJ", "[\\w-]{10,8000}(?:\\.[\\w-]{1,8000}){0,2}"],
];

/** A cheap check that most texts do not pass. */
const ISSUED_STARTS: RegExp = new RegExp(`\\b(?:${ISSUED.map(([, start]) => start).join("|")})`);

/** The word boundary in front makes each run be tried once, not at each letter. */
const ISSUED_TOKENS: RegExp = new RegExp(`\\b(?:${ISSUED.map(([, start, rest]) => start + rest).join("|")})`, "g");

const SECRET_WORD =
  "(?:passw(?:or)?d|passphrase|pwd|secret|token(?!s)|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?)";

/** `key` or `auth` alone name no secret, and the patterns that go by a name would try every word to find that out. */
const SECRET_NAME: RegExp = new RegExp(SECRET_WORD, "i");

/** A quote in front of a value or behind a name, also one within a quoted text. */
const QUOTE = "\\\\{0,2}[\"']?";

interface SurroundedSecret {
  readonly name: string;
  /** In every text that holds one. */
  readonly sign: RegExp;
  /** Its first group stays. */
  readonly pattern: RegExp;
}

/** Secrets that what stands around them gives away, in the order in which they are redacted. */
export const SURROUNDED: readonly SurroundedSecret[] = [
  { name: "a password in a URL", sign: /:\/\//, pattern: /(:\/\/[^\s:/@"']{0,80}:)[^\s/@"']{1,200}(?=@)/g },
  {
    name: "a webhook of Slack",
    sign: /hooks\.slack/,
    pattern: /(\bhooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/-]{20,200}/g,
  },
  {
    name: "a webhook of Discord",
    sign: /\/webhooks\//,
    pattern: /(\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{10,25}\/)[\w-]{20,120}/g,
  },
  {
    name: "a Cookie header",
    sign: /cookie/i,
    pattern: new RegExp(
      `(\\b(?:set-)?cookie${QUOTE}\\s{0,4}:\\s{0,4}${QUOTE})(?=[\\w.~$*-]{1,100}=[^\\s;"'])[^\\r\\n"'\\\\]{8,8000}`,
      "gi",
    ),
  },
  {
    name: "a Bearer or Basic header",
    sign: /bearer|basic/i,
    pattern: /(\b(?:bearer|basic)\s{1,4})[\w.~+/=-]{12,8000}/gi,
  },
  {
    name: "an Authorization header of any scheme",
    sign: /authorization/i,
    pattern: new RegExp(
      `(\\bauthorization${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE}(?:[a-z][\\w-]{1,20}\\s{1,4})?)(?=[^\\s"'\\d]{0,200}\\d)[\\w.~+/=:-]{12,8000}(?![\\w(])`,
      "gi",
    ),
  },
  {
    name: "a signed request of AWS",
    sign: /Signature=/,
    pattern: /(\b(?:X-Amz-)?Signature=)[0-9a-f]{32,128}/g,
  },
  {
    name: "a key of an Azure connection string",
    sign: /(?:Account|Access)Key=/i,
    pattern: /(\b(?:Account|Shared ?Access)Key=)[\w+/-]{20,200}={0,2}/gi,
  },
  { name: "a shared access signature of Azure", sign: /\bsig=/, pattern: /(\bsig=)[\w%+/-]{20,200}={0,2}/g },
  {
    name: "a registry's password in a configuration of Docker or npm",
    sign: /auth/i,
    pattern: new RegExp(
      `(\\b_?auth${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE})(?=[A-Za-z+/]{0,400}[\\d=])[A-Za-z0-9+/]{12,2000}={0,2}(?![\\w(.])`,
      "g",
    ),
  },
  {
    name: "the value of a name in capitals, as in .env",
    sign: /(?:KEY|TOKEN|SECRET|PASS|PASSWD|PWD|CREDENTIALS?|AUTH)\w{0,21}=/,
    // Without spaces around the sign.
    pattern:
      /(\b[A-Z][A-Z0-9_]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?|AUTH)(?:_[A-Z0-9]{1,20})?=)(?!\[REDACTED\]|\$|["']?\$\{)(?:"[^"\n]{1,4000}"?|'[^'\n]{1,4000}'?|[^\s"']{1,4000})/g,
  },
  {
    // `"password": "x"`, `apiKey = 'x'`, `--token="x"`
    name: "a literal in quotes behind a name",
    sign: SECRET_NAME,
    pattern: new RegExp(
      `(\\b[\\w-]{0,40}${SECRET_WORD}\\w{0,20}\\\\{0,2}["']?\\s{0,4}(?:[:=]|=>|:=)\\s{0,4}\\\\{0,2})(?:"(?!\\[REDACTED\\])[^"\\n]{4,4000}"?|'(?!\\[REDACTED\\])[^'\\n]{4,4000}'?|\`[^\`\\n$]{4,4000}\`?)`,
      "gi",
    ),
  },
  {
    // `password: hunter22`, `token=ab12cd34`, `--api-key ab12cd34`: letters and a digit, and not a call
    name: "a bare word behind a name",
    sign: SECRET_NAME,
    pattern: new RegExp(
      `(\\b[\\w-]{0,40}${SECRET_WORD}[\\w-]{0,20}["']?\\s{0,4}[:=]\\s{0,4}|--[\\w-]{0,40}${SECRET_WORD}[\\w-]{0,20}\\s{1,4})(?!\\[REDACTED\\])(?=[^\\s\\d]{0,200}\\d)(?=[^\\sa-zA-Z]{0,200}[a-zA-Z])[^\\s"'()<>{}\\[\\],;]{6,4000}(?![\\w(])`,
      "gi",
    ),
  },
];

/** Any of them, in one look. */
const SIGNS: RegExp = new RegExp(SURROUNDED.map(({ sign }) => sign.source).join("|"), "i");

const BEGIN = "-----BEGIN ";
/** A key of PGP with pictures is long; one that is cut off has no end to look for. */
const MAX_KEY_LENGTH = 262_144;

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
