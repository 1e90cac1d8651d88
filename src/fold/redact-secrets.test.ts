import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryNamedSecret, arbitrarySecret } from "../../test/support/arbitrary-output.ts";
import { tries } from "../../test/support/depth.ts";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import { redactSecrets } from "./redact-secrets.ts";

const KEY = [
  "-----BEGIN RSA PRIVATE KEY-----",
  "MIIEowIBAAKCAQEA1",
  "c2VjcmV0IGtleQ==",
  "-----END RSA PRIVATE KEY-----",
];

describe("redactSecrets", () => {
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

  it.each(["KEY", "password", "a:", "://a:", "eyJ", "-----BEGIN ", "_key-", "token token ", "sk-"])(
    "takes time in proportion to the text: %j ten thousand times over",
    (unit) => expectProportional(100_000, (length) => redactSecrets(unit.repeat(length / unit.length))),
  );
});
