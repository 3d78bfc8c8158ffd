import { readOwn } from '@nodewright/apis';

/** The registry of EKS's own images. */
export const registry = '602401143452.dkr.ecr.us-east-1.amazonaws.com';

export type FollowingAddOn = 'coredns' | 'kube-proxy';

/** The versions that EKS gives to clusters of a minor. Those of later minors are those of the newest one here. */
const addOnVersions: Readonly<Record<FollowingAddOn, Readonly<Record<string, string>>>> = {
  coredns: {
    '1.27': 'v1.10.1-eksbuild.7',
    '1.28': 'v1.10.1-eksbuild.7',
    '1.29': 'v1.11.1-eksbuild.4',
    '1.30': 'v1.11.1-eksbuild.8',
    '1.31': 'v1.11.3-eksbuild.1',
    '1.32': 'v1.11.4-eksbuild.2',
    '1.33': 'v1.12.1-eksbuild.2',
  },
  'kube-proxy': { '1.28': 'v1.28.6-minimal-eksbuild.2' },
};

/** The image of an add-on that follows the version of the control plane. */
export function addOnImage(addOn: FollowingAddOn, kubernetesVersion: string): string {
  const known = addOnVersions[addOn];
  const usual = addOn === 'coredns' ? known['1.33'] : `v${kubernetesVersion}.0-minimal-eksbuild.1`;
  return `${registry}/eks/${addOn}:${readOwn(known, kubernetesVersion) ?? usual}`;
}

/** Whether an image is one that EKS gives, and not one that a user has chosen. */
export const isAddOnImage = (addOn: FollowingAddOn, image: string | undefined): boolean =>
  Array.from({ length: 40 }, (_, minor) => addOnImage(addOn, `1.${minor}`)).includes(image ?? '');
