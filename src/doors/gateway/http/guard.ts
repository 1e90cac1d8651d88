/** The same step, except that what it throws goes to `fault`: in a callback it would end the process, and with it every other exchange. */
export function guard<Given extends readonly unknown[]>(
  step: (...given: Given) => void,
  fault: (error: Error) => void,
): (...given: Given) => void {
  return (...given) => {
    try {
      step(...given);
    } catch (error) {
      fault(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
