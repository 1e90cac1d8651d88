/** Whether a store's name is the address of a database, and not a folder's. */
export function isDatabase(name: string | undefined): name is string {
  return name !== undefined && /^postgres(?:ql)?:\/\//.test(name);
}
