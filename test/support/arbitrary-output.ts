import fc from "fast-check";
import { arbitraryUnits } from "./arbitrary-session.ts";

const word = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,18}$/);
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join("/")}.ts`);
const sentence = fc.array(word, { minLength: 3, maxLength: 14 }).map((words) => `A ${words.join(" ")}.`);

/** One line of each kind of output there is. */
const lineMakers: readonly fc.Arbitrary<string>[] = [
  fc.tuple(path, fc.nat(9999), sentence).map(([file, line, text]) => `${file}:${line}:${text}`),
  fc.tuple(path, fc.nat(9999), sentence).map(([file, line, text]) => `${file}-${line}-${text}`),
  path,
  path.map((name) => `-rw-r--r--  1 me me  4274 Mar 18 20:52 ${name}`),
  word.map((name) => `├── ${name}`),
  fc.tuple(fc.nat(59), sentence).map(([second, text]) => `2026-01-02 03:04:${second} ERROR ${text}`),
  sentence.map((text) => `--- FAIL: ${text} (0.01s)`),
  sentence.map((text) => `✓ ${text}`),
  fc.nat(900).map((count) => `Tests: ${count} failed, 3 passed`),
  fc.tuple(word, path, fc.nat(999)).map(([name, file, line]) => `    at ${name} (${file}:${line}:7)`),
  fc.tuple(path).map(([file]) => `diff --git a/${file} b/${file}`),
  fc.nat(99).map((line) => `@@ -${line},7 +${line},8 @@ function x() {`),
  sentence.map((text) => `+${text}`),
  fc.tuple(word, word).map(([key, value]) => `  "${key}": "${value}",`),
  fc.tuple(word, sentence).map(([tag, text]) => `<${tag} id="x">${text}</${tag}>`),
  fc.array(word, { minLength: 4, maxLength: 4 }).map((cells) => cells.join(",")),
  fc.array(word, { minLength: 3, maxLength: 3 }).map((cells) => `| ${cells.join(" | ")} |`),
  word.map((name) => `export function ${name}(input: string): void {`),
  word.map((name) => `  return ${name};`),
  fc.tuple(fc.nat(9999), sentence).map(([number, text]) => `${number}\t${text}`),
  fc.base64String({ minLength: 60, maxLength: 90 }),
  sentence.map((text) => `## ${text}`),
  sentence,
  arbitraryUnits(60),
];

/** Outputs of one kind mostly, of several, or of none at all; with any line ends, colours and lone surrogates. */
export const arbitraryOutput: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 6, arbitrary: fc.constantFrom(...lineMakers).chain((line) => fc.array(line, { maxLength: 60 })) },
    { weight: 2, arbitrary: fc.array(fc.oneof(...lineMakers), { maxLength: 60 }) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }).map((json) => [json]) },
    { weight: 1, arbitrary: fc.array(arbitraryUnits(300), { maxLength: 4 }) },
  )
  .chain((lines) =>
    fc
      .tuple(fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\u001b[31m"), fc.nat(12))
      .map(([end, times]) => Array.from({ length: times + 1 }, () => lines.join(end)).join(end)),
  );

const letters = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((units) => units.join(""));
const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A credential nobody ever had, and a line as it would stand in an output. */
export const arbitrarySecret: fc.Arbitrary<{ readonly secret: string; readonly line: string }> = fc
  .oneof(
    letters(ALPHANUMERIC, 40).map((tail) => `sk-ant-api03-${tail}`),
    letters(ALPHANUMERIC, 48).map((tail) => `sk-proj-${tail}`),
    letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16).map((tail) => `AKIA${tail}`),
    letters(ALPHANUMERIC, 36).map((tail) => `ghp_${tail}`),
    letters(ALPHANUMERIC, 60).map((tail) => `github_pat_${tail}`),
    letters(ALPHANUMERIC, 24).map((tail) => `xoxb-${tail}`),
    letters(ALPHANUMERIC, 35).map((tail) => `AIza${tail}`),
    letters(ALPHANUMERIC, 24).map((tail) => `sk_live_${tail}`),
    fc
      .tuple(letters(ALPHANUMERIC, 30), letters(ALPHANUMERIC, 60), letters(ALPHANUMERIC, 43))
      .map(([head, body, mark]) => `eyJ${head}.eyJ${body}.${mark}`),
  )
  .chain((secret) =>
    fc
      .constantFrom(
        secret,
        `token: ${secret}`,
        `  "key": "${secret}",`,
        `curl -H "x: ${secret}" x`,
        `error: bad ${secret}`,
      )
      .map((line) => ({ secret, line })),
  );

/** Secrets that only their surroundings give away. */
export const arbitraryNamedSecret: fc.Arbitrary<{ readonly secret: string; readonly line: string }> = letters(
  ALPHANUMERIC,
  20,
)
  .map((value) => `${value}7x`)
  .chain((secret) =>
    fc
      .constantFrom(
        `DATABASE_PASSWORD=${secret}`,
        `export API_KEY="${secret}"`,
        `  "password": "${secret}",`,
        `postgres://admin:${secret}@db.local:5432/app`,
        `Authorization: Bearer ${secret}`,
        `password: ${secret}`,
        `--api-key ${secret}`,
        `const clientSecret = '${secret}';`,
        `aws_secret_access_key = ${secret}`,
      )
      .map((line) => ({ secret, line })),
  );
