/** A moment for readers in any zone, to the minute: `2024-09-03 20:30 UTC`. */
export const formatUtc = (at: string): string => {
  const iso = new Date(Date.parse(at)).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
};
