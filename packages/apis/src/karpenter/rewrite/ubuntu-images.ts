import type { AmiSelectorTerm } from '../types.ts';

/**
 * Terms for what `amiFamily: Ubuntu` stood for: the current release of Ubuntu for a Kubernetes minor, or with a suffix
 * (`Ubuntu-v20221208`) that one, for both architectures. 20.04 as long as Canonical built it for EKS, then 24.04.
 * @see https://documentation.ubuntu.com/aws/en/latest/aws-how-to/instances/find-ubuntu-images/
 */
export function ubuntuImageTerms(amiFamily: string, kubernetesVersion: string): readonly AmiSelectorTerm[] {
  const [, pin = 'current'] = amiFamily.split('-v');
  const isFocal = Number(kubernetesVersion.split('.')[1]) <= 32;
  const [system, volume] = isFocal ? ['20.04', 'ebs-gp2'] : ['24.04', 'ebs-gp3'];
  return ['amd64', 'arm64'].map((arch) => ({
    ssmParameter: `/aws/service/canonical/ubuntu/eks/${system}/${kubernetesVersion}/stable/${pin}/${arch}/hvm/${volume}/ami-id`,
  }));
}
