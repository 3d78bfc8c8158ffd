/** A place from 0 to 1 as SVG takes it: plots follow the width of the page by themselves. */
export const printPercent = (place: number): string => `${Math.round(place * 10_000) / 100}%`;
