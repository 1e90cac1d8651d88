/** Says something to the module by itself: a line on the standard output, which only the client reads. */
export function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
