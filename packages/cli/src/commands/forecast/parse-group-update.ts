import type { ForecastGroupUpdate } from '@nodewright/forecast';

/**
 * `workers`, `workers=1.31.2-20250212`.
 * @throws Error naming what would be right
 */
export function parseGroupUpdate(text: string): ForecastGroupUpdate {
  const found = /^([0-9A-Za-z][0-9A-Za-z_-]*)(?:=(\S+))?$/.exec(text);
  if (found === null) throw new Error(`must be the name of a managed node group, or NAME=RELEASE, not "${text}"`);
  const [, group = '', release] = found;
  return { group, ...(release === undefined ? {} : { release }) };
}
