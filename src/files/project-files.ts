/** A project's files as a door can read them: Node in a hook, the engine in the client. All of them are a stranger's. */
export interface ProjectFiles {
  /** A regular file as text, or why it is not to be had; `undefined` where there is none. No link is followed. */
  read(path: string, maxBytes: number): Promise<{ readonly text: string } | { readonly problem: string } | undefined>;
  /** Names in a folder; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** `undefined` where there is nothing. */
  kindOf(path: string): Promise<"file" | "folder" | "link" | "other" | undefined>;
}
