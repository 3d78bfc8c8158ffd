import type { ForecastRelease } from '@nodewright/forecast';

const releaseFamilies = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Ubuntu',
  'Windows2019',
  'Windows2022',
  'Windows2025',
] as const;

/**
 * `AL2023=v20300101`, `bottlerocket=v1.30.0,behavior=stopsRenewing`.
 * @throws Error naming what would be right
 */
export function parseForecastRelease(text: string): ForecastRelease {
  const [release = '', ...others] = text.split(',');
  const [named = '', version = ''] = release.split('=');
  const family = releaseFamilies.find((known) => known.toLowerCase() === named.toLowerCase());
  if (family === undefined || version === '')
    throw new Error(
      `must be FAMILY=VERSION with a family of ${releaseFamilies.join(', ')}, such as AL2023=v20300101, not "${text}"`,
    );
  const behavior = others.flatMap((part) => /^behavior=(\w+)$/.exec(part)?.[1] ?? []);
  if (behavior.length !== others.length)
    throw new Error(`must be FAMILY=VERSION, or that with behavior=NAME behind it, not "${text}"`);
  return { family, version, ...(behavior[0] === undefined ? {} : { behavior: behavior[0] }) };
}
