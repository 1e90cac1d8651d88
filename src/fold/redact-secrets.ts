/**
 * Redacts what looks like a credential. For previews only: stored originals stay as they were. Every pattern is bounded and anchored by
 * fixed letters, so its time is linear in the text.
 */
export function redactSecrets(text: string): string {
  let safe = redactPrivateKeys(text);
  if (ISSUED_STARTS.test(safe)) safe = safe.replace(ISSUED_TOKENS, MASK);
  if (!SIGNS.test(safe)) return safe;
  for (const [sign, pattern] of SURROUNDED) if (sign.test(safe)) safe = safe.replace(pattern, `$1${MASK}`);
  return safe;
}

const MASK = "[REDACTED]";

const word = (least: number, most: number): string => `[\\w-]{${least},${most}}`;
const letters = (least: number, most: number): string => `[A-Za-z0-9]{${least},${most}}`;

/** Tokens that their issuer marks: how each starts, and what follows. Names are comments, because hooks load this file at every tool call. */
export const ISSUED: readonly (readonly [start: string, rest: string])[] = [
  ["sk-", word(12, 400)], // Anthropic, OpenAI and those who copied them
  ["(?:AKIA|ASIA|AROA|AIDA)", "[0-9A-Z]{12,40}"], // AWS
  ["gh[a-z]_", letters(16, 260)], // GitHub
  ["github_pat_", "\\w{16,260}"], // GitHub, fine-grained
  ["gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-", word(16, 100)], // GitLab
  ["xox[a-z]-", word(10, 260)], // Slack
  ["xapp-", word(10, 260)], // Slack, for an app
  ["AIza", word(30, 60)], // Google
  ["GOCSPX-", word(20, 60)], // Google, a client's secret
  ["ya29\\.", word(20, 600)], // Google, an access token
  ["[a-z]{2}_(?:live|test)_", "\\w{10,260}"], // Stripe
  ["whsec_", "\\w{20,260}"], // Stripe, a webhook
  ["npm_", letters(20, 80)], // npm
  ["pypi-", word(40, 260)], // PyPI
  ["rubygems_", "[a-f0-9]{40,64}"], // RubyGems
  ["dckr_[a-z]{3}_", word(20, 80)], // Docker Hub
  ["hf_", letters(20, 80)], // Hugging Face
  ["gsk_", letters(30, 80)], // Groq
  ["r8_", letters(30, 60)], // Replicate
  ["pplx-", letters(30, 80)], // Perplexity
  ["SG\\.", "[\\w-]{16,60}\\.[\\w-]{16,100}"], // SendGrid
  ["SK", "[0-9a-f]{32}\\b"], // Twilio
  ["key-", "[0-9a-f]{32}\\b"], // Mailgun
  ["shp[a-z]{2}_", "[0-9a-fA-F]{32,64}"], // Shopify
  ["sq0[a-z]{3}-", word(20, 50)], // Square
  ["do[a-z]_v1_", "[a-f0-9]{20,80}"], // DigitalOcean
  ["hv[a-z]\\.", word(20, 260)], // HashiCorp Vault
  ["atlasv1\\.", word(40, 100)], // HashiCorp Terraform
  ["dapi", "[0-9a-f]{32}\\b"], // Databricks
  ["gls?[ac]_", "[\\w+/=-]{30,400}"], // Grafana
  ["sntry[a-z]_", "[\\w+/=-]{30,400}"], // Sentry
  ["NR[A-Z]{2}-", "[A-Z0-9]{27}\\b"], // New Relic
  ["PMAK-", word(40, 80)], // Postman
  ["lin_api_", letters(30, 60)], // Linear
  ["ntn_", letters(40, 60)], // Notion
  ["figd_", word(30, 60)], // Figma
  ["sbp_", "[a-f0-9]{40}\\b"], // Supabase
  ["pscale_[a-z]{2,5}_", "[\\w.-]{30,80}"], // PlanetScale
  ["tskey-", word(20, 80)], // Tailscale
  ["ATATT3", "[\\w=-]{50,260}"], // Atlassian
  ["AGE-SECRET-KEY-1", "[0-9A-Z]{40,80}"], // age
  ["\\w{3}[78]Q~", "[\\w.~-]{31,34}"], // Azure, a client's secret
  ["\\d{6,12}:A[\\w-]{34}", "(?![\\w-])"], // Telegram, a bot
  ["[MNO](?=[A-Za-z_]{0,26}\\d)\\w{23,27}\\.[\\w-]{6}\\.", "(?=[A-Za-z_-]{0,44}\\d)[\\w-]{27,45}(?![\\w-])"], // Discord, a bot
  ["eyJ", "[\\w-]{10,8000}(?:\\.[\\w-]{1,8000}){0,2}"], // A JSON web token, also one that was cut off
];

/** A cheap check that most texts do not pass. */
const ISSUED_STARTS: RegExp = new RegExp(`\\b(?:${ISSUED.map(([start]) => start).join("|")})`);

/** The word boundary in front makes each run be tried once, not at each letter. */
const ISSUED_TOKENS: RegExp = new RegExp(`\\b(?:${ISSUED.map((row) => row.join("")).join("|")})`, "g");

const SECRET_WORD =
  "(?:passw(?:or)?d|passphrase|pwd|secret|token(?!s)|(?:api|access|private|signing|encryption)[_-]?key|credentials?)";

/** `key` or `auth` alone name no secret, and the patterns that go by a name would try every word to find that out. */
const SECRET_NAME: RegExp = new RegExp(SECRET_WORD, "i");

/** A quote in front of a value or behind a name, also one within a quoted text. */
const QUOTE = "\\\\{0,2}[\"']?";

/**
 * In a text that is itself in quotes the next quotation mark ends the value; anywhere else one behind a backslash is a part of it. Not in
 * every language is it one between single quotes: what stands behind it says so.
 */
const quoted = (mark: '"' | "'"): string => {
  const escaped = mark === '"' ? "\\\\." : "\\\\(?!'(?:[\\s,;)\\]}]|$)).";
  return `${mark}(?!\\[REDACTED\\])(?:(?<=\\\\${mark})[^${mark}\\n]{4,4000}|(?<!\\\\${mark})(?:[^${mark}\\\\\\n]|${escaped}){4,4000})${mark}?`;
};

/**
 * Secrets that what stands around them gives away, in the order in which they are redacted: a sign that is in every text that holds one,
 * and the pattern, whose first group stays.
 */
export const SURROUNDED: readonly (readonly [sign: RegExp, pattern: RegExp])[] = [
  // A password in a URL
  [/:\/\//, /(:\/\/[^\s:/@"']{0,80}:)[^\s/@"']{1,200}(?=@)/g],
  // A webhook of Slack
  [/hooks\.slack/, /(\bhooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/-]{20,200}/g],
  // A webhook of Discord
  [/\/webhooks\//, /(\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{10,25}\/)[\w-]{20,120}/g],
  // A Cookie header
  [
    /cookie/i,
    new RegExp(
      `(\\b(?:set-)?cookie${QUOTE}\\s{0,4}:\\s{0,4}${QUOTE})(?=[\\w.~$*-]{1,100}=[^\\s;"'])[^\\r\\n"'\\\\]{8,8000}`,
      "gi",
    ),
  ],
  // A Bearer or Basic header
  [/bearer|basic/i, /(\b(?:bearer|basic)\s{1,4})[\w.~+/=-]{12,8000}/gi],
  // An Authorization header of any scheme
  [
    /authorization/i,
    new RegExp(
      `(\\bauthorization${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE}(?:[a-z][\\w-]{1,20}\\s{1,4})?)(?=[^\\s"'\\d]{0,200}\\d)[\\w.~+/=:-]{12,8000}(?![\\w(])`,
      "gi",
    ),
  ],
  // A signed request of AWS
  [/Signature=/, /(\b(?:X-Amz-)?Signature=)[0-9a-f]{32,128}/g],
  // A key of an Azure connection string
  [/(?:Account|Access)Key=/i, /(\b(?:Account|Shared ?Access)Key=)[\w+/-]{20,200}={0,2}/gi],
  // A shared access signature of Azure
  [/\bsig=/, /(\bsig=)[\w%+/-]{20,200}={0,2}/g],
  // A registry's password in a configuration of Docker or npm
  [
    /auth/i,
    new RegExp(
      `(\\b_?auth${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE})(?=[A-Za-z+/]{0,400}[\\d=])[A-Za-z0-9+/]{12,2000}={0,2}(?![\\w(.])`,
      "g",
    ),
  ],
  // The value of a name in capitals, as in .env, without spaces around the sign
  [
    /(?:KEY|TOKEN|SECRET|PASS|PASSWD|PWD|CREDENTIALS?|AUTH)\w{0,21}=/,
    /(\b[A-Z][A-Z0-9_]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?|AUTH)(?:_[A-Z0-9]{1,20})?=)(?!\[REDACTED\]|\$|\\{0,2}["']?\$\{)(?:"(?:[^"\\\n]|\\.){1,4000}"?|'[^'\n]{1,4000}'?|\\{1,2}"[^"\n]{1,4000}"?|[^\s"']{1,4000})/g,
  ],
  // A literal in quotes behind a name: `"password": "x"`, `apiKey = 'x'`, `--token="x"`
  [
    SECRET_NAME,
    new RegExp(
      `(\\b[\\w-]{0,40}${SECRET_WORD}\\w{0,20}\\\\{0,2}["']?\\s{0,4}(?:[:=]|=>|:=)\\s{0,4}\\\\{0,2})(?:${quoted('"')}|${quoted("'")}|\`[^\`\\n$]{4,4000}\`?)`,
      "gi",
    ),
  ],
  // A bare word behind a name: `password: hunter22`, `token=ab12cd34`, `--api-key ab12cd34`: letters and a digit, and not a call
  [
    SECRET_NAME,
    new RegExp(
      `(\\b[\\w-]{0,40}${SECRET_WORD}[\\w-]{0,20}["']?\\s{0,4}[:=]\\s{0,4}|--[\\w-]{0,40}${SECRET_WORD}[\\w-]{0,20}\\s{1,4})(?!\\[REDACTED\\])(?=[^\\s\\d]{0,200}\\d)(?=[^\\sa-zA-Z]{0,200}[a-zA-Z])[^\\s"'()<>{}\\[\\],;]{6,4000}(?![\\w(])`,
      "gi",
    ),
  ],
];

/** Any of them, in one look. */
const SIGNS: RegExp = new RegExp(SURROUNDED.map(([sign]) => sign.source).join("|"), "i");

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
