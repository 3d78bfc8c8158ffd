import type { EC2NodeClass } from '@nodewright/apis';

/**
 * Why an alias of the NodeClass cannot be used with this control plane, if so: EKS publishes AL2
 * images up to 1.32, and Windows Server 2025 images from 1.35 on.
 */
export function unsupportedAlias(nodeClass: EC2NodeClass, kubernetesVersion: string): string | undefined {
  const minor = Number(kubernetesVersion.split('.')[1]);
  for (const { alias } of nodeClass.spec.amiSelectorTerms) {
    const family = alias?.split('@')[0];
    if (family === 'al2' && minor >= 33)
      return `alias ${alias}: there are no AL2 images for Kubernetes ${kubernetesVersion}; use al2023`;
    if (family === 'windows2025' && minor < 35)
      return `alias ${alias}: images start with Kubernetes 1.35; this cluster is ${kubernetesVersion}`;
  }
  return undefined;
}
