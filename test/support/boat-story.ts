import type { Happened } from "../../src/survive/record/continuation.ts";
import { story } from "./story.ts";

const todo = (content: string, status: string) => ({ content, status, activeForm: content });
const failed = { isError: true };

/** A session with something of everything: tasks in every status, files, decisions, errors that were fixed and others. */
const session = story()
  .asks("Build the boat and its mast. Urgent: it sails on Friday.")
  .calls(
    "TodoWrite",
    {
      todos: [
        todo("Plank the hull", "completed"),
        todo("Rig it", "in_progress"),
        todo("Paint it", "pending"),
        todo("Name it", "cancelled"),
      ],
    },
    "ok",
  )
  .calls("Write", { file_path: "/p/src/hull.ts", content: "oak\n" }, "File created successfully")
  .calls("Read", { file_path: "/p/src/mast.ts", offset: 3, limit: 4 }, "3\tpine")
  .calls("Read", { file_path: "/p/src/sail.ts", offset: 3 }, "3\tcloth")
  .says(
    "I decided to use tar for src/hull.ts because oil is thin. I tried resin, but that did not work because it cracks.",
  )
  .says("Oak or pine?\n\n1. oak\n2. pine")
  .asks("2")
  .calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: no keel at /p/src/keel.ts", failed)
  .calls("Edit", { file_path: "/p/src/hull.ts", old_string: "oak", new_string: "pine" }, "updated")
  .calls("Bash", { command: "npm run build" }, "built")
  .calls("Bash", { command: "deploy boat" }, "Exit code 1\nfatal: no quay", failed)
  .calls("Bash", { command: "deploy ship" }, "Exit code 1\nfatal: no harbour", failed)
  .calls("Bash", { command: "echo on" }, "on")
  .calls("Bash", { command: "npm test" }, "Exit code 1\nError: water in /p/src/hull.ts\n1 failed", failed);
export const boat: Happened = Array.from({ length: 5 })
  .reduce<typeof session>((told) => told.calls("Bash", { command: "ls" }, "a"), session)
  .happened();
