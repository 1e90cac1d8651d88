import { listFiles, locateFolder } from "../files/list-files.ts";
import type { Environment, Host, TranscriptFile } from "./host.ts";

interface FileLayout {
  readonly homeVariable: Host["homeVariable"];
  /** The folder of all sessions or, for a client with one per project, of that project. */
  locateTranscripts(home: string, project: string | undefined, environment: Environment): string;
  /** A project's sessions are in a folder of their own, so no file has to be opened. */
  readonly liesByProject?: true;
  /** Folders of sessions that the person archived and can restore. */
  listArchives?(home: string): readonly string[];
  isNamed(name: string): boolean;
  /** Asked for files that no other host has recognised; by default every file with such a name. */
  isOwn?(file: string): boolean;
  /** A file that was found below a root. */
  describe(file: string, root: string): Pick<TranscriptFile, "project" | "isSubagent">;
  nameSession(file: string): string;
}

export type FilesOfClient = Pick<
  Host,
  | "homeVariable"
  | "locateHome"
  | "locateTranscripts"
  | "listTranscripts"
  | "listProject"
  | "listSessions"
  | "findTranscript"
  | "nameSession"
>;

/** Answers every client's file questions from one client's layout; `other` overrides what differs. */
export function filesOfClient(layout: FileLayout, other: Partial<FilesOfClient> = {}): FilesOfClient {
  const { homeVariable, nameSession, describe } = layout;
  const locateHome: Host["locateHome"] = (environment) => locateFolder(homeVariable, environment);
  const locateTranscripts: Host["locateTranscripts"] = (environment, project) =>
    layout.locateTranscripts(locateHome(environment), project, environment);
  const listOwn = (root: string, isOwn: (file: string) => boolean = layout.isOwn ?? (() => true)) =>
    listFiles(root, layout.isNamed).filter((file) => isOwn(file.path));
  const listTranscripts: Host["listTranscripts"] =
    other.listTranscripts ??
    ((root, isOwn) => listOwn(root, isOwn).map((file) => ({ ...file, ...describe(file.path, root) })));
  const listNames: (root: string) => readonly { readonly path: string }[] = other.listTranscripts ?? listOwn;
  const listProject: Host["listProject"] = (environment, project) => {
    const files = listTranscripts(locateTranscripts(environment, project));
    return files.filter((file) => !file.isSubagent && (layout.liesByProject || file.project === project));
  };
  return {
    homeVariable,
    locateHome,
    locateTranscripts,
    nameSession,
    listTranscripts,
    listProject,
    listSessions(environment) {
      const folders = [locateTranscripts(environment), ...(layout.listArchives?.(locateHome(environment)) ?? [])];
      return new Set(folders.flatMap((folder) => listNames(folder)).map((file) => nameSession(file.path)));
    },
    findTranscript: (environment, project, sessionId) =>
      listProject(environment, project).find((file) => nameSession(file.path) === sessionId)?.path,
    ...other,
  };
}

/** For a client of which only records are read: nothing of its requests and settings is known. */
export const recordsOnly: Pick<
  Host,
  "decidePromptAuthor" | "isCompactionRequest" | "findServed" | "readCompactionSettings"
> = {
  decidePromptAuthor: () => "person",
  isCompactionRequest: () => false,
  findServed: () => undefined,
  readCompactionSettings: () => ({}),
};
