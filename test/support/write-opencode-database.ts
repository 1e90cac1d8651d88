import { execFileSync } from "node:child_process";
import type { Exported } from "./host-lines.ts";

/** The tables as far as they are read. The program is told in text: the types of this Node's release know no `node:sqlite`. */
export function writeDatabase(file: string, { info, messages }: Exported): void {
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const [file, text] = process.argv.slice(1);
    const { info, messages } = JSON.parse(text);
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_updated INTEGER)");
    database.exec("CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT)");
    database.exec("CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)");
    database.prepare("INSERT INTO session VALUES (?, NULL, ?, ?, ?, 1)").run(info.id, info.directory, info.title, info.version);
    for (const [index, message] of messages.entries()) {
      const { id, ...data } = message.info;
      database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)").run(id, info.id, index, JSON.stringify(data));
      for (const [at, part] of message.parts.entries())
        database.prepare("INSERT INTO part VALUES (?, ?, ?, ?)").run("prt_" + index + at, id, info.id, JSON.stringify(part));
    }
    database.close();`;
  execFileSync(process.execPath, ["-e", script, file, JSON.stringify({ info, messages })]);
}
