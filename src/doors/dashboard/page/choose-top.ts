/** So many times above all that was sent, the line would squash it to the floor. */
const FAR_ABOVE = 3;

/** Whether the line stands outside of the chart, and words have to say where. */
export function isLineOutside(mostTokens: number, lineTokens: number): boolean {
  return lineTokens > mostTokens * FAR_ABOVE;
}

/** The most tokens that a chart shows. */
export function chooseTop(mostTokens: number, lineTokens: number): number {
  return isLineOutside(mostTokens, lineTokens) ? mostTokens * 1.25 : Math.max(mostTokens, lineTokens) * 1.08;
}
