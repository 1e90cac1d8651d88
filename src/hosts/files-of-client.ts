import { listFiles } from "../files/list-files.ts";
import type { Environment, Host, TranscriptFile } from "./host.ts";

/** Where a client's sessions lie, and what their names and first bytes say. */
export interface FileLayout {
  locateHome(environment: Environment): string;
  /** The folder of all sessions; or, of a client that has one for each project, that of a project. */
  locateTranscripts(environment: Environment, project?: string): string;
  /** Folders of sessions that the person put away and can take out again. */
  listArchives?(environment: Environment): readonly string[];
  /** Whether a file may hold a session, by its name. */
  isNamed(name: string): boolean;
  /** Asked of files that nobody else has asked about; every one that is named so unless it is given. */
  isOwn?(file: string): boolean;
  describe(file: string): Pick<TranscriptFile, "project" | "isSubagent">;
  nameSession(file: string): string;
  /** A project's sessions lie in a folder of their own, so that nothing has to be looked into. */
  readonly liesByProject?: true;
}

export type FilesOfClient = Pick<
  Host,
  | "locateHome"
  | "locateTranscripts"
  | "listTranscripts"
  | "listProject"
  | "listSessions"
  | "findTranscript"
  | "nameSession"
>;

/** What every client's files are asked, out of how one client lays them out. What it does otherwise it puts in its place. */
export function filesOfClient(layout: FileLayout, other: Partial<FilesOfClient> = {}): FilesOfClient {
  const { locateHome, locateTranscripts, nameSession, describe } = layout;
  const listOwn = (root: string, isOwn: (file: string) => boolean = layout.isOwn ?? (() => true)) =>
    listFiles(root, layout.isNamed).filter((file) => isOwn(file.path));
  const listTranscripts: Host["listTranscripts"] =
    other.listTranscripts ??
    ((root, isOwn) => listOwn(root, isOwn).map((file) => ({ ...file, ...describe(file.path) })));
  const listNames: (root: string) => readonly { readonly path: string }[] = other.listTranscripts ?? listOwn;
  const listProject: Host["listProject"] = (environment, project) => {
    const files = listTranscripts(locateTranscripts(environment, project));
    return files.filter((file) => !file.isSubagent && (layout.liesByProject || file.project === project));
  };
  return {
    locateHome,
    locateTranscripts,
    nameSession,
    listTranscripts,
    listProject,
    listSessions(environment) {
      const folders = [locateTranscripts(environment), ...(layout.listArchives?.(environment) ?? [])];
      return new Set(folders.flatMap((folder) => listNames(folder)).map((file) => nameSession(file.path)));
    },
    findTranscript: (environment, project, sessionId) =>
      listProject(environment, project).find((file) => nameSession(file.path) === sessionId)?.path,
    ...other,
  };
}

/** What a client has no answer to whose records alone are read: nothing of its requests and its settings is known. */
export const recordsOnly: Pick<Host, "readMessages" | "isCompactionRequest" | "findServed" | "readCompactionSettings"> =
  {
    readMessages: () => [],
    isCompactionRequest: () => false,
    findServed: () => undefined,
    readCompactionSettings: () => ({}),
  };
