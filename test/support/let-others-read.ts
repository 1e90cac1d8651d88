/**
 * Lets everybody in this process read what has been written to them: a reset throws away what was not. Turns of the event loop
 * and not a time, since on a busy machine a timer is due before anybody has had a turn.
 */
export async function letOthersRead(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
}
