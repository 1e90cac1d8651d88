/** If red: instructions that name files that are gone go unnoticed, or sound ones are called stale. */
import { describe, expect, it } from "vitest";
import { checkStaleness, listMentions } from "./check-staleness.ts";

const TEXT = `# Project

- Entry point: \`src/main.ts\`, see [the guide](docs/guide.md) and src/old/parser.ts:12.
- Folders: \`packages/api/\`. Names are like \`index.ts\` or \`src/**/*.ts\`; the scope is \`@acme/api\`.
- Build with \`npm run build\`, test with \`npm run test:unit\`. Then \`make release\`; make sure it works.
- See https://example.com/a/b.html and \`~/.config/x.json\`; state is in \`.cache/x.json\`.

\`\`\`sh
npm run lint
cat some/example.ts
make docs
\`\`\`
`;

describe("an instruction file", () => {
  it("[R123] mentions paths and commands that can be looked up, and other things that cannot", () => {
    expect(listMentions(TEXT)).toEqual({
      paths: ["src/main.ts", "docs/guide.md", "src/old/parser.ts", "packages/api/"],
      scripts: ["build", "test:unit", "lint"],
      targets: ["release", "docs"],
    });
  });

  it("[R123] is stale where what it mentions is gone", () => {
    const facts = {
      exists: (path: string) => path !== "src/old/parser.ts",
      scripts: ["build", "lint"],
      targets: ["docs", "release"],
    };
    expect(checkStaleness({ path: "CLAUDE.md", text: TEXT }, facts)).toEqual([
      {
        path: "CLAUDE.md",
        kind: "missingPath",
        what: "src/old/parser.ts",
        fix: "src/old/parser.ts does not exist: name what took its place",
      },
      {
        path: "CLAUDE.md",
        kind: "missingScript",
        what: "test:unit",
        fix: 'there is no script "test:unit": name the one to run',
      },
    ]);
  });

  it("[R123] is stale where nobody has changed it for long", () => {
    const file = { path: "CLAUDE.md", text: "Be kind." };
    const kinds = (facts: object, options = {}) =>
      checkStaleness(file, facts, options).map(({ kind, what }) => `${kind} ${what}`);
    expect(kinds({ ageDays: 180, commitsSince: 500 })).toEqual([]);
    expect(kinds({ ageDays: 181.5, commitsSince: 501 })).toEqual(["age 181 days", "commits 501 commits"]);
    expect(kinds({ ageDays: 8 }, { maxAgeDays: 7 })).toEqual(["age 8 days"]);
  });

  it("is not judged by what nobody looked up", () => {
    expect(checkStaleness({ path: "CLAUDE.md", text: TEXT }, {})).toEqual([]);
  });

  it.each(["maxAgeDays", "maxCommits"])("takes no wrong %s", (name) => {
    expect(() => checkStaleness({ path: "p", text: "" }, {}, { [name]: 0 })).toThrow(name);
  });
});
