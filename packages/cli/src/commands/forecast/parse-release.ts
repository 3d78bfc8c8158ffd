import { nodeBehaviors, releaseFamilies } from '@nodewright/aws-endpoints/release-kinds';
import type { ForecastRelease } from '@nodewright/forecast';

type VersionForm = { readonly form: RegExp; readonly example: string };

const amazonLinux: VersionForm = { form: /^v\d{8}$/, example: 'v20300101' };
const windows: VersionForm = { form: /^v?\d{4}\.\d{2}\.\d{2}$/, example: '2030.01.01' };

/** The form of the versions of each family, and one of them. */
const versionForms: Readonly<Record<(typeof releaseFamilies)[number], VersionForm>> = {
  AL2: amazonLinux,
  AL2023: amazonLinux,
  Bottlerocket: { form: /^v?\d+\.\d+\.\d+$/, example: '1.30.0' },
  Ubuntu: { form: /^v?\d{8}(\.\d+)?$/, example: '20300101' },
  Windows2019: windows,
  Windows2022: windows,
  Windows2025: windows,
};

/**
 * `AL2023=v20300101`, `bottlerocket=v1.30.0,behavior=stopsRenewing`.
 * @throws Error naming what would be right
 */
export function parseForecastRelease(text: string): ForecastRelease {
  const [release = '', ...others] = text.split(',');
  const [named = '', version = ''] = release.split('=');
  const family = releaseFamilies.find((each) => each.toLowerCase() === named.toLowerCase());
  if (family === undefined || version === '')
    throw new Error(
      `must be FAMILY=VERSION with a family of ${releaseFamilies.join(', ')}, such as AL2023=v20300101, not "${text}"`,
    );
  const { form, example } = versionForms[family];
  if (!form.test(version)) throw new Error(`must have a version such as ${family}=${example}, not "${text}"`);
  const behavior = others.flatMap((part) => /^behavior=(\w+)$/.exec(part)?.[1] ?? []);
  if (behavior.length !== others.length || behavior.length > 1)
    throw new Error(`must be FAMILY=VERSION, or that with behavior=NAME behind it, not "${text}"`);
  const [wanted] = behavior;
  if (wanted !== undefined && !nodeBehaviors.some((each) => each === wanted))
    throw new Error(`must have a behavior of ${nodeBehaviors.join(', ')}, not "${text}"`);
  return { family, version, ...(wanted === undefined ? {} : { behavior: wanted }) };
}
