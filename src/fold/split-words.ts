/** What makes a line worth checking with `findTrouble`: every word it looks for begins with or holds one of these, or one of the signs. */
const WORDS =
  "error errors err fatal panic panics panicked exception exceptions fail fails failed failing failure failures crash crashed crashes abort aborted aborting traceback segfault segmentation dumped killed oom memory corrupt corrupted corruption mismatch mismatched mismatches invalid illegal denied refused rejected forbidden unauthorized unauthorised timed timeout timeouts unreachable unhealthy crashloopbackoff conflict conflicts cannot can could couldn unable not such space undefined unresolved missing unexpected violated violates violation leak leaks leaked broken regression overflow overflowed deadlock warn warning warnings deprecated deprecation degraded unsupported exit exited exitcode return returned code nonzero enoent eacces eperm eexist epipe eisdir enotdir enotempty emfile enospc ebusy einval erofs enomem ebadf esrch eloop eaddrinuse econnrefused econnreset econnaborted etimedout ehostunreach enetunreach enotfound eai elifecycle eresolve eintegrity";

const SIGNS = "✗✕✖❌⚠";

export interface LineWords {
  /** `NUMBER` for a word with a digit. */
  readonly words: Int32Array;
  /** Where the words of each line begin; one entry more than there are lines. */
  readonly starts: Int32Array;
  /** Two hashes of each line without digits and spaces; both 0 for an empty line. */
  readonly shapes: Int32Array;
  readonly otherShapes: Int32Array;
  /** 1 for a line with a word or sign of trouble, which is then checked closely. */
  readonly suspects: Uint8Array;
}

export const NUMBER = 1;
const PRIME = 0x01000193;
const OTHER_PRIME = 0x2545f491;

const SIGN = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Joins the parts of a name or a path. */
const JOINT = 4;
const SPACE = 5;
const MARK = 6;
const SPACE_UNIT = 32;
const ESCAPE = 27;
const QUOTE = 34;
const DOT = 46;
const FIVE = 53;
const CLASS_OF: Uint8Array = createClasses();

/** Large enough that few other words share a slot with one of these; a collision only costs a closer look. */
const PLACES = 1 << 15;
const SUSPECTS: Uint8Array = createPlaces();

interface Draft extends LineWords {
  readonly text: string;
  line: number;
  count: number;
}

export function splitWords(text: string, lines: number): LineWords {
  const draft: Draft = {
    text,
    words: new Int32Array((text.length >> 1) + 1),
    starts: new Int32Array(lines + 1),
    shapes: new Int32Array(lines),
    otherShapes: new Int32Array(lines),
    suspects: new Uint8Array(lines),
    line: 0,
    count: 0,
  };
  let from = 0;
  for (let line = 0; line < lines; line++) {
    const feed = text.indexOf("\n", from);
    const to = feed < 0 ? text.length : feed;
    draft.line = line;
    readLine(draft, from, to);
    draft.starts[line + 1] = draft.count;
    from = to + 1;
  }
  return draft;
}

/**
 * Looks at each character once; patterns took three to twenty times as long. Words of trouble are recognised in any case, and inside camel
 * case: `TypeError`, `IOException`. One function call per line, since V8 compiles what is called often, and repeatedly deoptimises one long
 * loop that is called seldom.
 */
function readLine(draft: Draft, from: number, to: number): void {
  // Local copies: bundlers turn a module's constants into variables, and this loop runs once per character.
  const classes = CLASS_OF;
  const taken = SUSPECTS;
  const mask = PLACES - 1;
  const prime = PRIME;
  const otherPrime = OTHER_PRIME;
  const { text, words, line } = draft;
  let { count } = draft;
  let [word, hasDigit, shape, other, hump, beforeCapital, fromCapital, previous, suspect] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let at = from; at <= to; at++) {
    const unit = at < to ? text.charCodeAt(at) : SPACE_UNIT;
    let kind = classes[unit] ?? MARK;
    // A full stop is not part of the last word.
    if (unit === DOT && (at + 1 >= to || (classes[text.charCodeAt(at + 1)] ?? MARK) > DIGIT)) kind = MARK;
    if (kind < SPACE) {
      word = (Math.imul(word ^ unit, prime) + 1) | 0;
      if (kind === LOWER) {
        if (previous === UPPER) {
          suspect |= taken[beforeCapital & mask] ?? 0;
          hump = fromCapital;
        }
        hump = (Math.imul(hump ^ unit, prime) + 1) | 0;
      } else if (kind === UPPER) {
        if (previous === LOWER) {
          suspect |= taken[hump & mask] ?? 0;
          hump = 0;
        }
        beforeCapital = hump;
        hump = (Math.imul(hump ^ (unit | 32), prime) + 1) | 0;
        fromCapital = (Math.imul(unit | 32, prime) + 1) | 0;
      } else {
        suspect |= taken[hump & mask] ?? 0;
        hump = 0;
        if (kind === DIGIT) {
          hasDigit = 1;
          // `E0102`, as some logs begin.
          if (at === from + 1) suspect = 1;
        } else if (kind === SIGN) suspect = 1;
      }
      previous = kind;
      continue;
    }
    previous = kind;
    if (word !== 0) {
      suspect |= taken[hump & mask] ?? 0;
      hump = 0;
      const token = hasDigit === 1 ? NUMBER : word;
      shape = (Math.imul(shape ^ token, prime) + 1) | 0;
      other = (Math.imul(other ^ (token >>> 7), otherPrime) + 1) | 0;
      words[count++] = token;
      word = 0;
      hasDigit = 0;
    }
    if (kind === SPACE) continue;
    if (unit === ESCAPE) at = skipEscape(text, at, to);
    else {
      shape = (Math.imul(shape ^ unit, prime) + 1) | 0;
      other = (Math.imul(other ^ unit, otherPrime) + 1) | 0;
      // A web server's status: `" 503 `.
      if (unit === QUOTE && at + 2 < to && text.charCodeAt(at + 2) === FIVE) suspect = 1;
    }
  }
  draft.count = count;
  draft.shapes[line] = shape;
  draft.otherShapes[line] = other;
  draft.suspects[line] = suspect;
}

function skipEscape(text: string, at: number, to: number): number {
  const end = Math.min(to, at + 12);
  let next = at + 1;
  while (next < end && (text.charCodeAt(next) < 64 || text.charCodeAt(next) === 91)) next++;
  return Math.min(next, to - 1);
}

/** For every code unit: a table lookup is cheaper than a comparison before it. */
function createClasses(): Uint8Array {
  const classes = new Uint8Array(1 << 16).fill(LOWER);
  classes.fill(SPACE, 0, 33).fill(MARK, 33, 128).fill(UPPER, 65, 91).fill(LOWER, 97, 123).fill(DIGIT, 48, 58);
  for (const joint of "_.-/\\@~$%") classes[joint.charCodeAt(0)] = JOINT;
  for (const sign of SIGNS) classes[sign.charCodeAt(0)] = SIGN;
  classes[ESCAPE] = MARK;
  return classes;
}

function createPlaces(): Uint8Array {
  const places = new Uint8Array(PLACES);
  for (const suspect of WORDS.split(" ")) {
    let hash = 0;
    for (let at = 0; at < suspect.length; at++) hash = (Math.imul(hash ^ suspect.charCodeAt(at), PRIME) + 1) | 0;
    places[hash & (PLACES - 1)] = 1;
  }
  places[0] = 0;
  return places;
}
