import { badRequestError, internalError } from './status-error.ts';

/** Parses an integer query parameter as Go's `strconv` does, and refuses others, an empty one too, in its words. */
export function parseInt64(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text))
    throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text))
    throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(text);
}

/** A query parameter is true unless it is absent, `false` or `0`. */
export const parseSwitch = (text: string | null): boolean => text !== null && text !== 'false' && text !== '0';

const versionProblem = (text: string): string =>
  `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;

/** The text of a member; empty when the member is not a text. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The `resourceVersion` of a list: undefined when not given. */
export function parseListVersion(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^\d+$/.test(text)) throw badRequestError(`invalid resource version: ${versionProblem(text)}`);
  return Number(text);
}

/** The `resourceVersion` of a get or a watch: a real server answers a bad one with 500. */
export function parseVersion(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^\d+$/.test(text)) throw internalError(versionProblem(text));
  return Number(text);
}
