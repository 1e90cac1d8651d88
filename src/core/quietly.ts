/** What this returns, or something else if it throws: for what may fail where it does not matter why. */
export function quietly<Value, Otherwise>(run: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
