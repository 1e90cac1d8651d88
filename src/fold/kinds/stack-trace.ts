import type { Excerpt } from "../excerpt.ts";
import { type Kind, shareOf } from "../kind.ts";
import { renderAlike, surveyLines } from "../survey-lines.ts";

/** An exception and where it came from: JavaScript, Python, Java, Go, Rust, Ruby, .NET. */
export const stackTraceKind: Kind = {
  name: "stack trace",
  recognise({ lines, isNumbered }) {
    if (isNumbered) return 0;
    const frames = shareOf(lines, FRAME, 0.35);
    return frames > 0 && lines.some((line) => MESSAGE.test(line)) ? 0.72 + frames * 0.26 : 0;
  },
  outline({ lines, isPartial }) {
    const survey = surveyLines(lines);
    let depth = 0;
    return lines.flatMap((text, line): readonly Excerpt[] => {
      if (MESSAGE.test(text)) depth = 0;
      // Repeated exceptions are shown once.
      if (!survey.isFirst(line)) return [];
      if (MESSAGE.test(text))
        return [{ line, text, remark: renderAlike(survey.countLike(line), isPartial), weight: 96, cut: 300 }];
      if (!FRAME.test(text)) return [{ line, text, weight: depth > 0 && depth < 6 ? 55 : 35 }];
      depth++;
      const isOwn = !FOREIGN.test(text);
      return [{ line, text, weight: (isOwn ? 75 : 30) - Math.min(20, depth) }];
    });
  },
};

const FRAME =
  /^\s+at \S|^\s*File ".{1,300}", line \d|^\s+(?:\d{1,4}: |at )\S|^\s*\S{1,200}\.(?:go|rb|py|rs):\d+|^goroutine \d|^\s*from \S{1,200}:\d+:in /;
const MESSAGE =
  /^(?:\w[\w.$]{0,100})?(?:Error|Exception|Panic|Fault|Throwable)\b|^(?:Uncaught|Unhandled|Caused by|panic:|thread '|Traceback|fatal|\s{0,8}Suppressed:)|^\s*(?:\[cause\]|Error Trace):/;
/** Frames of third-party code, which is rarely where the fault is fixed. */
const FOREIGN =
  /node_modules|node:internal|\(internal\/|site-packages|\/usr\/|java\.base|java\.util|org\.junit|runtime\/|\.cargo\/|<anonymous>|\/rustc\//;
