/** Why nothing is stored in a place of ours, and what to do. A repository may contain a link there, which could lead anywhere. */
export function describeObstacle(place: string, isLink: boolean): string {
  return isLink
    ? `${place} is a link, and Plimsoll never writes through a link: remove the link, or replace it with a folder`
    : `${place} is not a folder: move it away, then try again`;
}
