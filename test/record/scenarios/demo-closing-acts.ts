import { answer } from "../../api/replies.ts";
import type { Reply } from "../../api/scenario.ts";
import { type DemoTools, REPORT_COMMAND, testCommand } from "./demo-tools.ts";

export const LOCK_PROMPT =
  "Before I forget: the server stays on Node 20 until summer. Does anything in package-lock.json ask for a newer one?";

export const DOCUMENT_PROMPT =
  "Good. Leave it as it is, I'll write to the maintainers. Document today's changes in CHANGELOG.md and docs/ledger.md, make it 2.4.0, and run everything once more.";

/** The fifth prompt: a question with one file to read. */
export function actLock({ read, bash }: DemoTools): readonly Reply[] {
  return [
    answer(read("package-lock.json"), read("package.json")),
    answer(
      bash(
        "grep -rn 'page-stream\\|quayside/pdf' --include='*.ts' --include='*.json' . --exclude-dir=node_modules",
        "Find who needs it",
      ),
    ),
    answer(
      "One does: `@quayside/page-stream` 3.7.5 asks for Node 22.4 or newer. It comes in through `@quayside/pdf` 3.7.5, which itself asks for 20. Nothing in src imports either, so today it only causes a warning at installation; printing invoices would be the first thing to break. All other packages are content with 20 or less.",
    ),
  ];
}

/** The sixth prompt: words, a version, and everything once more. */
export function actDocument({ read, bash, edit }: DemoTools): readonly Reply[] {
  return [
    answer(read("CHANGELOG.md"), read("docs/ledger.md")),
    answer(edit("CHANGELOG.md", "# Changelog\n", CHANGES), edit("docs/ledger.md", "## Closing\n", REFUND_SECTION)),
    answer(
      bash(
        'sed -i \'s/"version": "2.3.0"/"version": "2.4.0"/\' package.json package-lock.json && grep -n \'"version": "2\' package.json package-lock.json',
        "Set the version",
      ),
    ),
    answer(bash(testCommand(), "Run all tests")),
    answer(
      bash(`${REPORT_COMMAND} | tail -6 && grep -n '^export' src/ledger/ledger.ts`, "Totals, and the ledger's exports"),
    ),
    answer(
      "Done: 2.4.0 is documented, all tests pass and the totals of March are unchanged. The exports of `src/ledger/ledger.ts` are the ones of this morning; nothing in that file was touched today.",
    ),
  ];
}

const CHANGES = `# Changelog

## 2.4.0

- A refund gives back what was booked for its lines. With a discount it could be off by a cent, and the ledger refused it.
- The monthly report shows gross revenue and refunds apart, and takes refunds off once.
- \`GET /customers/:id/statement?month=2026-03\`: what a customer owed, bought and paid in a month.
`;

const REFUND_SECTION = `## Refunds

A refund takes net and tax from the lines as they were booked. It never works them out again: two roundings of the same discount need not agree.
The monthly report counts revenue without contra accounts, shows 4210 on its own line and takes it off once.

## Closing
`;
