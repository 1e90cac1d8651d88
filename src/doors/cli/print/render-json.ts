/**
 * JSON for scripts: what is not known is `null`. In pure ASCII, so that no locale can spoil it and nothing in it can steer
 * a terminal that it is printed on.
 */
export function renderJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => (field === undefined ? null : field), 2).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
