import type { AmiFamily } from '@nodewright/apis';

/** Family and release that the name of an EKS image tells. */
export type NamedRelease = { readonly family: AmiFamily; readonly version: string };

type NameForm = { readonly form: RegExp; readonly family: AmiFamily };

const windowsForm = (year: string): RegExp =>
  new RegExp(String.raw`^Windows_Server-${year}-.*-EKS_Optimized-\d+\.\d+-(?<version>\d{4}\.\d\d\.\d\d)`);

const nameForms: readonly NameForm[] = [
  { form: /^amazon-eks-(?:node|gpu-node|arm64-node)-\d+\.\d+-(?<version>v\d+)/, family: 'AL2' },
  { form: /^amazon-eks-node-al2023-.*-\d+\.\d+-(?<version>v\d+)/, family: 'AL2023' },
  { form: /^bottlerocket-aws-k8s-.*-(?<version>v\d+\.\d+\.\d+)-[0-9a-f]+$/, family: 'Bottlerocket' },
  { form: windowsForm('2019'), family: 'Windows2019' },
  { form: windowsForm('2022'), family: 'Windows2022' },
  { form: windowsForm('2025'), family: 'Windows2025' },
];

/**
 * The release that an image belongs to, by the name that EKS gives to its images. So a rule about a release finds its
 * images also where a selector names them by id, name or tag. `undefined` for images of one's own.
 */
export function releaseOfImageName(name: string): NamedRelease | undefined {
  for (const { form, family } of nameForms) {
    const version = form.exec(name)?.groups?.['version'];
    if (version !== undefined) return { family, version };
  }
  return undefined;
}
