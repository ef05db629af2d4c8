// Follows a growing page only while the reader is at its end. Pure: the component measures and obeys.
export interface Measure {
  top: number;
  height: number;
  view: number;
}

/** Pixels from the end that still count as being there. */
const NEAR_END = 32;

export const distanceToEnd = (m: Measure): number => Math.max(0, m.height - m.view - m.top);

/**
 * Whether to keep following after a scroll event. Moving up by hand lets go at once, even a little; reaching
 * the end takes hold again. Growth of the content alone moves nothing up, so it never lets go.
 */
export function following(was: boolean, before: Measure, now: Measure): boolean {
  if (distanceToEnd(now) <= NEAR_END) return true;
  const movedUp = now.top < before.top - 1;
  const shrank = now.height < before.height;
  return was && (!movedUp || shrank);
}
