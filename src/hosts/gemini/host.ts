import { type JsonObject, numberField } from "../../core/json.ts";
import type { LineRange } from "../../session/action.ts";
import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { openWhole } from "../open-lines.ts";
import { findNumber, interpretBy, interpretResultBy } from "../tool-table.ts";
import { beginsChat, chats, readChat } from "./disk/chats.ts";
import { parseChat } from "./parse-chat.ts";

const PATH = ["file_path", "absolute_path"];
const SEARCH = { kind: "search", pattern: ["pattern"], path: ["dir_path"] } as const;

export const gemini: Host = {
  ...recordsOnly,
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  renderResume: (sessionId) => `gemini --resume ${sessionId}`,
  commands: { compact: "/compress", anew: "/clear" },

  vocabulary: {
    interpretCall: interpretBy({
      read_file: { kind: "read", path: PATH, range: parseLines },
      write_file: { kind: "write", path: PATH, text: ["content"] },
      replace: { kind: "edit", path: PATH },
      run_shell_command: { kind: "run", command: ["command"] },
      glob: SEARCH,
      grep_search: SEARCH,
      search_file_content: SEARCH,
      list_directory: SEARCH,
      write_todos: { kind: "plan", list: "todos", subject: "description" },
    }),
    interpretResult: interpretResultBy({
      findExitCode: (text) => findNumber(text, /^Exit Code: (-?\d{1,10})$/m),
      isRefused: (text) => /^\[Operation Cancelled\]/.test(text),
    }),
  },
  // Half the window, unless `model.compressionThreshold` says otherwise.
  readCompactionSettings: () => ({ locate: (windowTokens) => Math.floor(windowTokens / 2) }),

  ...chats,

  isOnlyRead: true,
  isOwn: (path, readHead) => /\.jsonl?$/.test(path) && beginsChat(readHead()),
  openTranscript: (path) => openWhole(() => readChat(path), parseChat),
  selectConversation: (entries) => entries.filter(({ uuid }) => uuid !== ""),
};

function parseLines(input: JsonObject): LineRange | undefined {
  const first = numberField(input, "start_line");
  const last = numberField(input, "end_line");
  return first === undefined || last === undefined ? undefined : { first, last };
}
