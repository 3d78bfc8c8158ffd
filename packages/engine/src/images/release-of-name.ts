import type { AmiFamily } from '@nodewright/apis';

/** Family and release that the name of an EKS image tells. */
export type NamedRelease = { readonly family: AmiFamily; readonly version: string };

type NameForm = { readonly form: RegExp; readonly family: (match: RegExpExecArray) => AmiFamily };

const nameForms: readonly NameForm[] = [
  { form: /^amazon-eks-(?:node|gpu-node|arm64-node)-\d+\.\d+-(?<version>v\d+)/, family: () => 'AL2' },
  { form: /^amazon-eks-node-al2023-.*-\d+\.\d+-(?<version>v\d+)/, family: () => 'AL2023' },
  { form: /^bottlerocket-aws-k8s-.*-(?<version>v\d+\.\d+\.\d+)-[0-9a-f]+$/, family: () => 'Bottlerocket' },
  {
    form: /^Windows_Server-(?<year>2019|2022|2025)-.*-EKS_Optimized-\d+\.\d+-(?<version>\d{4}\.\d\d\.\d\d)/,
    family: (match) => windowsFamily(match.groups?.['year']),
  },
];

/**
 * The release that an image belongs to, by the name that EKS gives to its images. So a rule about a release finds its
 * images also where a selector names them by id, name or tag. `undefined` for images of one's own.
 */
export function releaseOfImageName(name: string): NamedRelease | undefined {
  for (const { form, family } of nameForms) {
    const match = form.exec(name);
    const version = match?.groups?.['version'];
    if (match !== null && version !== undefined) return { family: family(match), version };
  }
  return undefined;
}

function windowsFamily(year: string | undefined): AmiFamily {
  if (year === '2019') return 'Windows2019';
  return year === '2022' ? 'Windows2022' : 'Windows2025';
}
