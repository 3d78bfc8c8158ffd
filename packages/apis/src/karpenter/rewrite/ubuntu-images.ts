import type { AmiSelectorTerm } from '../types.ts';

/**
 * Terms for what `amiFamily: Ubuntu` stood for: the current release of Ubuntu 20.04 for a Kubernetes minor, or with
 * a suffix (`Ubuntu-v20221208`) that one, for both architectures.
 * @see https://documentation.ubuntu.com/aws/en/latest/aws-how-to/instances/find-ubuntu-images/
 */
export function ubuntuImageTerms(amiFamily: string, kubernetesVersion = '<minor>'): readonly AmiSelectorTerm[] {
  const [, pin] = amiFamily.split('-v');
  return ['amd64', 'arm64'].map((arch) => ({
    ssmParameter: `/aws/service/canonical/ubuntu/eks/20.04/${kubernetesVersion}/stable/${pin ?? 'current'}/${arch}/hvm/ebs-gp2/ami-id`,
  }));
}
