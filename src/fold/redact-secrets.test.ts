/** If red: a password, token or private key is shown in a preview or a note. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryNamedSecret, arbitrarySecret } from "../../test/support/arbitrary-output.ts";
import { tries } from "../../test/support/depth.ts";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import { ISSUED, redactSecrets, SURROUNDED } from "./redact-secrets.ts";

const KEY = [
  "-----BEGIN RSA PRIVATE KEY-----",
  "MIIEowIBAAKCAQEA1",
  "c2VjcmV0IGtleQ==",
  "-----END RSA PRIVATE KEY-----",
];

/** Letters and digits that nobody was ever given. */
const made = (length: number): string => "aB3dE5gH7jK9mN1pQ2sT4vX6".repeat(20).slice(0, length);
const hex = (length: number): string => "0a1b2c3d4e5f6789".repeat(10).slice(0, length);
const capitals = (length: number): string => made(200).toUpperCase().slice(0, length);

/** One of each row of the table; put together here, so that no scanner takes it for a real one. */
const TOKENS: Readonly<Record<string, string>> = {
  "Anthropic, OpenAI and those who copied them": `sk-ant-api03-${made(40)}`,
  AWS: `AKIA${capitals(16)}`,
  GitHub: `ghp_${made(36)}`,
  "GitHub, fine-grained": `github_pat_${made(60)}`,
  GitLab: `glpat-${made(20)}`,
  Slack: `xoxb-${made(24)}`,
  "Slack, for an app": `xapp-1-${made(30)}`,
  Google: `AIza${made(35)}`,
  "Google, a client's secret": `GOCSPX-${made(28)}`,
  "Google, an access token": `ya29.${made(100)}`,
  Stripe: `sk_live_${made(24)}`,
  "Stripe, a webhook": `whsec_${made(32)}`,
  npm: `npm_${made(36)}`,
  PyPI: `pypi-${made(100)}`,
  RubyGems: `rubygems_${hex(48)}`,
  "Docker Hub": `dckr_pat_${made(27)}`,
  "Hugging Face": `hf_${made(34)}`,
  Groq: `gsk_${made(52)}`,
  Replicate: `r8_${made(37)}`,
  Perplexity: `pplx-${made(48)}`,
  SendGrid: `SG.${made(22)}.${made(43)}`,
  Twilio: `SK${hex(32)}`,
  Mailgun: `key-${hex(32)}`,
  Shopify: `shpat_${hex(32)}`,
  Square: `sq0atp-${made(22)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  "HashiCorp Vault": `hvs.${made(90)}`,
  "HashiCorp Terraform": `atlasv1.${made(60)}`,
  Databricks: `dapi${hex(32)}`,
  Grafana: `glsa_${made(32)}_${hex(8)}`,
  Sentry: `sntrys_${made(60)}`,
  "New Relic": `NRAK-${capitals(27)}`,
  Postman: `PMAK-${hex(24)}-${hex(34)}`,
  Linear: `lin_api_${made(40)}`,
  Notion: `ntn_${made(46)}`,
  Figma: `figd_${made(40)}`,
  Supabase: `sbp_${hex(40)}`,
  PlanetScale: `pscale_tkn_${made(43)}`,
  Tailscale: `tskey-auth-${made(30)}`,
  Atlassian: `ATATT3${made(180)}`,
  age: `AGE-SECRET-KEY-1${capitals(58)}`,
  "Azure, a client's secret": `abc8Q~${made(34)}`,
  "Telegram, a bot": `123456789:A${made(34)}`,
  "Discord, a bot": `M${made(25)}.${made(6)}.${made(38)}`,
  "a JSON web token": `eyJ${made(30)}.eyJ${made(60)}.${made(43)}`,
};

/** A line of each row, and the secret in it. */
const SURROUNDINGS: Readonly<Record<string, readonly (readonly [line: string, secret: string])[]>> = {
  "a password in a URL": [["postgres://admin:hunter22@db.local:5432/app", "hunter22"]],
  "a webhook of Slack": [[`curl https://hooks.slack.com/services/T0AA/B0BB/${made(24)}`, made(24)]],
  "a webhook of Discord": [[`https://discord.com/api/webhooks/${"1".repeat(18)}/${made(68)}`, made(68)]],
  "a Cookie header": [
    [`Cookie: theme=dark; session=${made(20)}`, made(20)],
    [`-H 'cookie: session=${made(20)}' https://a.example`, made(20)],
    [`"Set-Cookie": "id=${made(20)}; Path=/; HttpOnly"`, made(20)],
  ],
  "a Bearer or Basic header": [[`x-forwarded: Bearer ${made(20)}`, made(20)]],
  "an Authorization header of any scheme": [
    [`Authorization: token ${made(40)}`, made(40)],
    [`curl -H "Authorization: ${made(40)}" x`, made(40)],
    [`{\\"authorization\\": \\"ApiKey ${made(40)}\\"}`, made(40)],
  ],
  "a signed request of AWS": [[`SignedHeaders=host, Signature=${hex(64)}`, hex(64)]],
  "a key of an Azure connection string": [
    [`AccountName=a;AccountKey=${made(86)}==;EndpointSuffix=core.windows.net`, made(86)],
    [`Endpoint=sb://a;SharedAccessKeyName=b;SharedAccessKey=${made(43)}=`, made(43)],
  ],
  "a shared access signature of Azure": [[`?sv=2022-11-02&se=2026-01-01&sig=${made(43)}%3D`, made(43)]],
  "a registry's password in a configuration of Docker or npm": [
    [`"auths": { "registry.example": { "auth": "${made(40)}==" } }`, made(40)],
    [`//registry.example/:_auth=${made(40)}`, made(40)],
  ],
  "the value of a name in capitals, as in .env": [[`DATABASE_PASSWORD=${made(12)}`, made(12)]],
  "a literal in quotes behind a name": [[`const clientSecret = 'correct horse';`, "correct horse"]],
  "a bare word behind a name": [["password: hunter22", "hunter22"]],
};

describe("redactSecrets", () => {
  it("[R64] has an example in its tests of each row, which no row before it takes", () => {
    const tokens = Object.values(TOKENS);
    expect(tokens.map((token) => ISSUED.findIndex((row) => new RegExp(`^${row.join("")}`).test(token)))).toEqual(
      ISSUED.map((_, at) => at),
    );
    const lines = Object.values(SURROUNDINGS).map(([[line] = [""]]) => line);
    expect(lines).toHaveLength(SURROUNDED.length);
    for (const [at, [sign, pattern]] of SURROUNDED.entries()) {
      expect(lines[at]).toMatch(sign);
      expect(lines[at]).toMatch(pattern);
    }
  });

  it.each(Object.entries(TOKENS))("[R64] strikes out a token of %s, wherever it stands", (_issuer, token) => {
    for (const line of [token, `error: bad ${token}`, `{"value":"${token}"}`, `a/${token} b`, `x=${token};`])
      expect(redactSecrets(line)).toBe(line.replace(token, "[REDACTED]"));
  });

  it.each(Object.entries(SURROUNDINGS))("[R64] strikes out %s", (_name, lines) => {
    for (const [line, secret] of lines) {
      const safe = redactSecrets(line);
      expect(safe).toContain("[REDACTED]");
      expect(safe).not.toContain(secret);
      expect(redactSecrets(safe)).toBe(safe);
    }
  });

  it.each([
    [String.raw`{"password": "ab\"cd3fgh", "user": "ann"}`, `{"password": [REDACTED], "user": "ann"}`],
    [String.raw`{"password": "correct\"horse", "user": "ann"}`, `{"password": [REDACTED], "user": "ann"}`],
    [String.raw`const clientSecret = 'it\'s a horse'; // ann's`, `const clientSecret = [REDACTED]; // ann's`],
    // SQL and PowerShell know no escape.
    [String.raw`password='abcd\' token='horsebattery'`, String.raw`password=[REDACTED]\' token=[REDACTED]`],
    [String.raw`API_KEY="correct\"horse" npm test`, `API_KEY=[REDACTED] npm test`],
    [String.raw`{"run": "API_KEY=\"correct\" npm test"}`, `{"run": "API_KEY=[REDACTED] npm test"}`],
    [
      String.raw`{\"password\": \"horse\", \"user\": \"ann\"}`,
      String.raw`{\"password\": \[REDACTED], \"user\": \"ann\"}`,
    ],
  ])("[R64] strikes out of %j all of the secret, whatever quotation marks are in it, and no more", (line, safe) => {
    expect(redactSecrets(line)).toBe(safe);
  });

  it("[R64] strikes out a whole private key of PGP, however long", () => {
    const key = Array.from({ length: 600 }, () => made(64));
    const block = ["-----BEGIN PGP PRIVATE KEY BLOCK-----", "", ...key, "-----END PGP PRIVATE KEY BLOCK-----", "after"];
    const safe = redactSecrets(block.join("\n")).split("\n");
    expect(safe.filter((line) => line === "[REDACTED]")).toHaveLength(key.length);
    expect([safe[0], safe.at(-2), safe.at(-1)]).toEqual([block[0], block.at(-2), "after"]);
  });

  it("[R64] strikes out tokens that their issuer marks", () => {
    fc.assert(
      fc.property(arbitrarySecret, ({ secret, line }) => {
        expect(redactSecrets(line)).not.toContain(secret);
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("[R64] strikes out what only its name gives away", () => {
    fc.assert(
      fc.property(arbitraryNamedSecret, ({ secret, line }) => {
        expect(redactSecrets(line)).not.toContain(secret);
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("[R64] strikes out private keys line by line, so that numbers of lines stay", () => {
    expect(redactSecrets(["before", ...KEY, "after"].join("\n")).split("\n")).toEqual([
      "before",
      KEY[0],
      "[REDACTED]",
      "[REDACTED]",
      KEY[3],
      "after",
    ]);
  });

  it("[R64] strikes out every private key of several, and keeps what is between them", () => {
    const safe = redactSecrets([...KEY, "between", ...KEY, "after"].join("\n"));
    expect(safe).toMatch(/^between$/m);
    expect(safe).toMatch(/^after$/m);
    expect(KEY.slice(1, -1).filter((line) => safe.includes(line))).toEqual([]);
  });

  it("[R64] strikes out a key that was cut off, and one on a single line", () => {
    expect(redactSecrets(KEY.slice(0, 3).join("\n"))).not.toContain("c2VjcmV0");
    expect(redactSecrets(`"key": "${KEY.join("\\n")}"`)).not.toContain("c2VjcmV0");
  });

  it.each([
    "const token = readToken(input);",
    "total_tokens: 30796, input_tokens: 123456",
    "interface Options { password: string; apiKey?: string }",
    "https://example.com/a:b/c",
    "if (!user.password) throw new Error()",
    "passwordField.focus()",
    "tokenizer: dense",
    "export API_KEY=$OTHER_KEY",
    "-----BEGIN CERTIFICATE-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    "Cookie: a small file that a site keeps",
    "const cookie = request.headers.cookie",
    "Authorization: required by every endpoint",
    "authorization: buildHeader2(request)",
    "auth: authenticateWith2Factors(user)",
    "12345678:30:00 NamespaceOfSomethingLong.method.andAnotherVeryLongMemberOfIt",
    "sk-lg md-hidden hf_small npm_config_cache key-value SKU",
    "https://hooks.slack.com/services/",
  ])("leaves %j alone", (line) => {
    expect(redactSecrets(line)).toBe(line);
  });

  it("changes nothing on a second look", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(arbitrarySecret, arbitraryNamedSecret), { maxLength: 5 }), (secrets) => {
        const once = redactSecrets(secrets.map(({ line }) => line).join("\n"));
        expect(redactSecrets(once)).toBe(once);
      }),
    );
  });

  it.each([
    ...[
      "KEY",
      "password",
      "a:",
      "://a:",
      "eyJ",
      "-----BEGIN ",
      "_key-",
      "token token ",
      "sk-",
      "Ma1",
      "1:A",
      "a8Q~",
      "SK0",
    ],
    ...[
      "cookie: a=",
      "authorization: a ",
      "auth=",
      "sig=",
      "AccountKey=",
      "/webhooks/1",
      "hooks.slack.com/services/",
      ".atlasv1.",
    ],
  ])("takes time in proportion to the text: %j ten thousand times over", (unit) =>
    expectProportional(100_000, (length) => redactSecrets(unit.repeat(length / unit.length))),
  );
});
