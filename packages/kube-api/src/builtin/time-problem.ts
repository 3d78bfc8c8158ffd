/** A part of Go's time layout: the pattern of its value and, where Go looks at the number, its range. */
type LayoutPart = {
  readonly text: string;
  readonly pattern: RegExp;
  readonly unit?: string;
  readonly least?: number;
  readonly most?: number;
};

const separator = (text: string): LayoutPart => ({ text, pattern: new RegExp(`^${text}`) });
const twoDigits = (text: string, range: Pick<LayoutPart, 'unit' | 'least' | 'most'>): LayoutPart => ({
  text,
  pattern: /^\d{2}/,
  ...range,
});

const dateLayout: readonly LayoutPart[] = [
  { text: '2006', pattern: /^\d{4}/ },
  separator('-'),
  twoDigits('01', { unit: 'month', least: 1, most: 12 }),
  separator('-'),
  // Go looks at the number of the day last, when it knows the month.
  twoDigits('02', {}),
  separator('T'),
  twoDigits('15', { unit: 'hour', most: 23 }),
  separator(':'),
  twoDigits('04', { unit: 'minute', most: 59 }),
  separator(':'),
  twoDigits('05', { unit: 'second', most: 59 }),
];
const zoneLayout: LayoutPart = { text: 'Z07:00', pattern: /^(Z|[+-]\d{2}:\d{2})/ };

/** Whole seconds with an optional fraction, which is ignored. */
const wholeSecondsLayout = [...dateLayout, { text: '', pattern: /^([.,]\d+)?/ }, zoneLayout];
const microsecondsLayout = [...dateLayout, { text: '.000000', pattern: /^\.\d{6}/ }, zoneLayout];

/** How nearly every time is written: every month has 28 days. What it does not match is looked at part by part. */
const usualTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * Go's error for a text that is not a time; undefined for a valid time.
 * @param isMicro whether the layout requires six decimal places
 */
export function timeProblem(text: string, isMicro: boolean): string | undefined {
  if (!isMicro && usualTime.test(text)) return undefined;
  const parsing = `parsing time ${JSON.stringify(text)}`;
  let rest = text;
  for (const part of isMicro ? microsecondsLayout : wholeSecondsLayout) {
    const found = part.pattern.exec(rest)?.[0];
    if (found === undefined) {
      const layout = isMicro ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
      return `${parsing} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part.text)}`;
    }
    const unit = part === zoneLayout ? zoneOutOfRange(found) : unitOutOfRange(part, Number(found));
    if (unit !== undefined) return `${parsing}: ${unit} out of range`;
    rest = rest.slice(found.length);
  }
  if (rest !== '') return `${parsing}: extra text: ${JSON.stringify(rest)}`;
  return hasDay(text) ? undefined : `${parsing}: day out of range`;
}

const unitOutOfRange = ({ unit, least = 0, most = Infinity }: LayoutPart, value: number): string | undefined =>
  value < least || value > most ? unit : undefined;

function zoneOutOfRange(zone: string): string | undefined {
  const [hour = 0, minute = 0] = zone.slice(1).split(':').map(Number);
  if (hour > 24) return 'time zone offset hour';
  return minute > 60 ? 'time zone offset minute' : undefined;
}

function hasDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
