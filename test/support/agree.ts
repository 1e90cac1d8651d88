import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { agreeToSync, locateTrust } from "../../src/files/node-agreement.ts";
import { locateData } from "../../src/policy/actions/data-paths.ts";
import type { FakeClient } from "./fake-client.ts";

/** A file of a project that the person has agreed to, as `plimsoll trust agree` does it. */
export function putAgreed(project: string, name: string, text: string, configFolder: string): void {
  const file = path.join(project, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  agreeToSync(locateData(configFolder), { project: locateTrust(project, "").resolved, name, text });
}

/** The same in the home of a client that is made up. */
export function setAgreed({ session, home }: FakeClient, file: string, text: string): void {
  putAgreed(session.root, file.slice(session.root.length + 1), text, path.join(home, ".claude"));
}
