/** If red: a line that reports a failure is not recognised as one in a preview. */
import { describe, expect, it } from "vitest";
import { splitWords } from "./split-words.ts";
import { findTrouble } from "./trouble.ts";

const ERRORS = `
error: expected one of 3
ERROR in ./src/index.ts
[error] cannot open
Error [ERR_MODULE_NOT_FOUND]: Cannot find package
TypeError: x is not a function
java.io.IOException: Broken pipe
level=error msg="boom"
{"status":"FAILED","id":3}
| 12 | MISMATCH |
checksum mismatch
checksum-mismatch
BUILD_FAILED
3 failed, 0 errors
1 test failed
not ok 14 - reads
panic: runtime error
fatal: not a git repository
permission denied
PERMISSION DENIED
connection refused
Connection timed out
request timeout after 30s
exited with code 137
exit code: 1
exit status 2
Process exited with 1
✗ reads the file
❌ deploy
npm ERR! code ELIFECYCLE
open(): ENOENT
E0102 15:04:05.123456 1 reflector.go:1
could not resolve host
couldn't connect
unable to lock
ld: undefined reference to foo
No such file or directory
no space left on device
10 errors
errors: 10
"error": "boom"
error 0x80070005
Segmentation fault (core dumped)
Killed
merge conflict in a.ts
failures=2
FAIL src/a.test.ts
invalid token
`;
const WARNINGS = `
WARN checksum
warning: unused variable
[warn] slow
Warnings: 3
DeprecationWarning: Buffer()
this call is deprecated
⚠ large bundle
W0102 15:04:05.123456 1 reflector.go:1
`;
const NOTHING = `
0 errors
no errors
No errors found
compiled without warnings
without any warnings
without errors or warnings
0 warnings and 0 errors
0 failed
errors: 0
error: 0
errors=0
failures: 0
warnings 0
# fail 0
failed: 0,
"error": null,
"errors": [],
"error":""
"isError": false
error=none
0% failed
10 passed, 0 failed
no type errors
zero failures
did not fail
didn't fail
error-free build
src/error.ts
src/errors/index.ts
compiled src/error-handler.ts
error-handler.test.ts
--fail-on-error
onError
handleError
error.message
error_count
exit code 0
exited with code 0
Process exited with 0
returned code: 0
everything is sound
terrorist mirror
failover done
ERRATIC
NOERROR
std::error
`;
const listOf = (block: string): readonly string[] => block.split("\n").filter((line) => line !== "");

describe("findTrouble", () => {
  it.each(listOf(ERRORS))("hears an error in %j", (line) => {
    expect([splitWords(line, 1).suspects[0], findTrouble(line)]).toEqual([1, "error"]);
  });

  it.each(listOf(WARNINGS))("hears a warning in %j", (line) => {
    expect([splitWords(line, 1).suspects[0], findTrouble(line)]).toEqual([1, "warning"]);
  });

  it.each(listOf(NOTHING))("hears nothing in %j", (line) => {
    expect(findTrouble(line)).toBeUndefined();
  });
});
