/** The parts of Go's time layout, each with the pattern of its value. */
const dateLayout: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^(0[1-9]|1[0-2])/],
  ['-', /^-/],
  ['02', /^(0[1-9]|[12]\d|3[01])/],
  ['T', /^T/],
  ['15', /^([01]\d|2[0-3])/],
  [':', /^:/],
  ['04', /^[0-5]\d/],
  [':', /^:/],
  ['05', /^[0-5]\d/],
];
const zoneLayout = ['Z07:00', /^(Z|[+-]\d{2}:\d{2})$/] as const;

/** Whole seconds with an optional fraction, which is ignored. */
const wholeSecondsLayout = [...dateLayout, ['', /^(\.\d+)?/] as const, zoneLayout];
const microsecondsLayout = [...dateLayout, ['.000000', /^\.\d{6}/] as const, zoneLayout];

/** How nearly every time is written. What it does not match is looked at part by part. */
const usualTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * Go's error for a text that is not a time; undefined for a valid time.
 * @param isMicro whether the layout requires six decimal places
 */
export function timeProblem(text: string, isMicro: boolean): string | undefined {
  if (!isMicro && usualTime.test(text)) return undefined;
  const parts = isMicro ? microsecondsLayout : wholeSecondsLayout;
  let rest = text;
  for (const [part, pattern] of parts) {
    const found = pattern.exec(rest);
    if (found === null) {
      const layout = isMicro ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
      return `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part)}`;
    }
    rest = rest.slice(found[0].length);
  }
  return undefined;
}
