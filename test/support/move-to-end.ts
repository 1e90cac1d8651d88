/** Lines of a transcript with all their times moved, so that the last of them is at this moment. */
export function moveToEnd(text: string, endMs: number): string {
  const times = [...text.matchAll(TIME)].map(([, at = ""]) => Date.parse(at));
  const byMs = endMs - Math.max(...times);
  return text.replace(TIME, (_, at: string) => `"timestamp":"${new Date(Date.parse(at) + byMs).toISOString()}"`);
}

const TIME = /"timestamp":"([^"]+)"/g;
