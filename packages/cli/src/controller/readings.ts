import { parseDuration } from '@nodewright/apis';

/** How the text of a setting is read. Every reader refuses with what would be right. */
export type SettingReader<T> = (text: string) => T;

export const anyText: SettingReader<string> = (text) => text;

/** As flags take it; environment variables know more spellings. */
export const trueOrFalse: SettingReader<boolean> = (text) => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`must be true or false, not "${text}"`);
};

const spellings: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((word) => [word, false] as const),
]);

/** Any of Go's spellings: 1, t, TRUE. */
export const anyTrueOrFalse: SettingReader<boolean> = (text) => spellings.get(text) ?? trueOrFalse(text);

export const portNumber: SettingReader<number> = (text) => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65_535)
    throw new Error(`must be a port from 0 to 65535 (0: any free one), not "${text}"`);
  return value;
};

/** 0 stands for none. */
export const portOrNone: SettingReader<number> = (text) => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65_535)
    throw new Error(`must be a port from 1 to 65535, or 0 for none, not "${text}"`);
  return value;
};

/** The name of a Service, which is a DNS label. */
export const readObjectName: SettingReader<string> = (text) => {
  if (/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new Error(`must be the name of a Service: up to 63 small letters, digits and "-", not "${text}"`);
};

/** Separated by commas. */
export const readHostNames: SettingReader<readonly string[]> = (text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export const numberFrom =
  (least: number): SettingReader<number> =>
  (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value) && value >= least) return value;
    throw new Error(`must be a number${least === -Infinity ? '' : ` from ${least}`}, not "${text}"`);
  };

/** Milliseconds of a Go duration such as `10s` or `1m30s`. */
export const durationFrom =
  (leastMs: number): SettingReader<number> =>
  (text) => {
    const ms = parseDuration(text);
    if (ms >= leastMs) return ms;
    throw new Error(`must be a duration of at least ${leastMs / 1000}s, not "${text}"`);
  };

export const readOneOf =
  <const T extends string>(...words: readonly T[]): SettingReader<T> =>
  (text) => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${words.map((word) => word || '""').join(', ')}, not "${text}"`);
  };

/** An absolute URL, or nothing. */
export const absoluteUrl: SettingReader<string> = (text) => {
  if (text === '' || URL.canParse(text)) return text;
  throw new Error(`must be an absolute URL such as https://example.com, not "${text}"`);
};

/** `A=true,B=false`. */
export const readGates: SettingReader<ReadonlyMap<string, boolean>> = (text) =>
  new Map(text.split(',').filter(Boolean).map(gate));

function gate(text: string): readonly [string, boolean] {
  const [name = '', value = '', ...rest] = text.split('=').map((part) => part.trim());
  const isOn = spellings.get(value);
  if (name !== '' && isOn !== undefined && rest.length === 0) return [name, isOn];
  throw new Error(`must be a list such as NodeRepair=true,SpotToSpotConsolidation=false; "${text}" is no part of one`);
}
