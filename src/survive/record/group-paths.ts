/** A file as it stands in an index: what to write after its name, and whether it lies deep in a folder others share. */
export interface IndexedFile {
  readonly path: string;
  /** Put before the name: how the file was used. */
  readonly mark: string;
  /** Put after the name: what is known of it. */
  readonly note: string;
}

/** `src/a/: +x.ts #1f2e L1-80 t9, y.ts`: one line per folder, so that a path is paid for once. Folders come as their files do. */
export function renderGrouped(files: readonly IndexedFile[]): readonly string[] {
  const folders = new Map<string, string[]>();
  for (const { path, mark, note } of files) {
    const { folder, name } = splitPath(path);
    const names = folders.get(folder) ?? [];
    names.push(`${mark}${name}${note === "" ? "" : ` ${note}`}`);
    folders.set(folder, names);
  }
  return [...folders].map(([folder, names]) => `${folder}: ${names.join(", ")}`);
}

/** The folder with its slash, `./` for none; backslashes part folders too. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at < 0 ? { folder: "./", name: path } : { folder: path.slice(0, at + 1), name: path.slice(at + 1) };
}
