/** Seconds from one timestamp to another. */
export const countSecondsBetween = (from: string, to: string): number =>
  Math.floor((Date.parse(to) - Date.parse(from)) / 1000);
