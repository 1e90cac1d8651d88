import { numberField } from "../../core/json.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Vocabulary } from "../../session/action.ts";
import { interpretBy, interpretResultBy, parseRange } from "../tool-table.ts";

const PATH = ["filePath", "path"];
const EDIT = { kind: "edit", path: PATH } as const;
const PATCH = { kind: "patch", text: ["patchText"] } as const;
const SEARCH = { kind: "search", pattern: ["pattern", "query"], path: PATH } as const;

export const openCodeVocabulary: Vocabulary & CallVocabulary = {
  readTool: "read",
  interpretCall: interpretBy({
    read: { kind: "read", path: PATH, range: parseRange },
    write: { kind: "write", path: PATH, text: ["content"] },
    edit: EDIT,
    multiedit: EDIT,
    apply_patch: PATCH,
    patch: PATCH,
    bash: { kind: "run", command: ["command"] },
    grep: SEARCH,
    glob: SEARCH,
    list: SEARCH,
    codesearch: SEARCH,
    webfetch: { kind: "fetch", url: ["url"] },
    todowrite: { kind: "plan", list: "todos", subject: "content" },
    task: { kind: "delegate", description: ["description"], prompt: ["prompt"], agent: ["subagent_type"] },
    question: { kind: "ask" },
  }),
  interpretResult: interpretResultBy({
    findExitCode: (_text, _result, detail) => numberField(detail, "exit"),
    isRefused: (text, { isError }) =>
      isError && /rejected permission|specified a rule which prevents/i.test(text.slice(0, 400)),
  }),
};
