import type { ForecastRelease } from '@nodewright/forecast';

/** The families, each with the form of its versions and one of them. */
const releaseFamilies: readonly { readonly family: string; readonly form: RegExp; readonly example: string }[] = [
  ...['AL2', 'AL2023'].map((family) => ({ family, form: /^v\d{8}$/, example: 'v20300101' })),
  { family: 'Bottlerocket', form: /^v?\d+\.\d+\.\d+$/, example: '1.30.0' },
  { family: 'Ubuntu', form: /^v?\d{8}(\.\d+)?$/, example: '20300101' },
  ...['Windows2019', 'Windows2022', 'Windows2025'].map((family) => ({
    family,
    form: /^v?\d{4}\.\d{2}\.\d{2}$/,
    example: '2030.01.01',
  })),
];

const releaseBehaviors = [
  'healthy',
  'neverJoins',
  'joinsLate',
  'stopsRenewing',
  'notReady',
  'containersFail',
  'gpuMissing',
];

/**
 * `AL2023=v20300101`, `bottlerocket=v1.30.0,behavior=stopsRenewing`.
 * @throws Error naming what would be right
 */
export function parseForecastRelease(text: string): ForecastRelease {
  const [release = '', ...others] = text.split(',');
  const [named = '', version = ''] = release.split('=');
  const known = releaseFamilies.find(({ family }) => family.toLowerCase() === named.toLowerCase());
  if (known === undefined || version === '')
    throw new Error(
      `must be FAMILY=VERSION with a family of ${releaseFamilies.map(({ family }) => family).join(', ')}, such as AL2023=v20300101, not "${text}"`,
    );
  const { family, form, example } = known;
  if (!form.test(version)) throw new Error(`must have a version such as ${family}=${example}, not "${text}"`);
  const behavior = others.flatMap((part) => /^behavior=(\w+)$/.exec(part)?.[1] ?? []);
  if (behavior.length !== others.length || behavior.length > 1)
    throw new Error(`must be FAMILY=VERSION, or that with behavior=NAME behind it, not "${text}"`);
  const [wanted] = behavior;
  if (wanted !== undefined && !releaseBehaviors.includes(wanted))
    throw new Error(`must have a behavior of ${releaseBehaviors.join(', ')}, not "${text}"`);
  return { family, version, ...(wanted === undefined ? {} : { behavior: wanted }) };
}
