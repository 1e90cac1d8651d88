import fc from "fast-check";

/** Values as few programs write them and every parser takes them: what is decoded and encoded again comes out otherwise. */
const scalar = fc.oneof(
  fc.constantFrom(
    "12345678901234567890",
    "1.0",
    "-0",
    "1e400",
    "0.10e+2",
    "1E2",
    "3.14159265358979323846",
    "true",
    "null",
    '"\\u0041\\u00e9\\/"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"é😀"',
    '""',
    '"plimsoll:"',
  ),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => JSON.stringify(text)),
  fc.bigInt().map(String),
);

const blank = fc.constantFrom("", "", " ", "  ", "\t");

/** Keys in any order, numbers among them, and some of them twice. */
const key = fc.oneof(
  fc.constantFrom('"a"', '"b"', '"10"', '"2"', '"index"', '"\\u0061"', '"id"'),
  scalar.filter(isText),
);

function isText(json: string): boolean {
  return json.startsWith('"');
}

const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    tie("object"),
    fc.tuple(fc.array(tie("value"), { maxLength: 3 }), blank).map(([all, gap]) => `[${gap}${all.join(`${gap},`)}]`),
  ),
  object: fc
    .tuple(fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }), blank)
    .map(([members, gap]) => `{${gap}${members.map(([name, held]) => `${name}${gap}:${gap}${held}`).join(`,${gap}`)}}`),
}));

export const oddValue: fc.Arbitrary<string> = value;

/** An object as a text, for the input of a call. */
export const oddObject: fc.Arbitrary<string> = fc
  .tuple(fc.array(fc.tuple(key, value), { maxLength: 4 }), blank)
  .map(([members, gap]) => `{${gap}${members.map(([name, held]) => `${name}:${gap}${held}`).join(`${gap},`)}}`);
