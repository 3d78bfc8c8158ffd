import { hours, minutes, seconds } from '@nodewright/apis';

/** Reads a duration such as `PT2M` or `PT1H30M` in milliseconds; `undefined` when the text is none. */
export function parseIsoDuration(text: string): number | undefined {
  const [, hour = '0', minute = '0', second = '0'] = /^PT(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text) ?? [
    undefined,
    'x',
  ];
  const duration = hours(Number(hour)) + minutes(Number(minute)) + seconds(Number(second));
  return Number.isNaN(duration) ? undefined : duration;
}
