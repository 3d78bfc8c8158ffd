import { readOwn } from './own-property.ts';
import { ValueError } from './value-error.ts';

const goUnitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const ageUnitsMs = { ...goUnitsMs, d: 86_400_000, w: 604_800_000 };

const goDuration = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const agePattern = /^(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h|d|w))+)$/;
const durationPart = /(\d+\.?\d*|\.\d+)([a-zµμ]+)/g;

/**
 * Milliseconds of a Go duration: `1h30m`, `-1.5h`, `300ms`, `0`. Fractions of a millisecond are kept.
 * @throws ValueError
 * @see https://pkg.go.dev/time#ParseDuration
 */
export function parseDuration(text: string): number {
  if (!goDuration.test(text)) throw new ValueError(text, 'a duration such as 30s, 1h30m or 720h');
  const magnitude = sumOfParts(text, goUnitsMs);
  return text.startsWith('-') ? 0 - magnitude : magnitude;
}

/** As `parseDuration`, with the word `Never` for no end at all: `expireAfter`, `consolidateAfter`. */
export function parseDurationOrNever(text: string): number | 'Never' {
  return text === 'Never' ? 'Never' : parseDuration(text);
}

/**
 * Milliseconds of an age: a Go duration without a sign in which `d` (24 h) and `w` (7 d) are units too:
 * `10d`, `2w`, `1w3d12h`. What `minimumAgeDuration` holds.
 * @throws ValueError
 */
export function parseAge(text: string): number {
  if (!agePattern.test(text)) throw new ValueError(text, 'an age such as 10d, 2w or 36h');
  return sumOfParts(text, ageUnitsMs);
}

export const isAge = (text: string): boolean => agePattern.test(text);

/** As Go prints it: `1h0m0s`, `1m30s`, `1.5s`, `300ms`, `0s`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms === 0) return '0s';
  if (ms < 1000) return inSmallUnit(ms);
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = `${Number(((ms % 60_000) / 1000).toFixed(9))}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

function inSmallUnit(ms: number): string {
  if (ms >= 1) return `${Number(ms.toFixed(6))}ms`;
  return ms >= 1e-3 ? `${Number((ms * 1e3).toFixed(3))}µs` : `${Math.round(ms * 1e6)}ns`;
}

const sumOfParts = (text: string, unitsMs: Readonly<Record<string, number>>): number =>
  [...text.matchAll(durationPart)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (readOwn(unitsMs, unit ?? '') ?? 0),
    0,
  );
