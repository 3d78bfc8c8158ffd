import { amiSelectorTermsOf } from '@nodewright/apis';
import type { EC2NodeClass } from '@nodewright/apis';
import { exampleOf, familyOfAlias } from './alias.ts';

/**
 * Why an alias of the NodeClass cannot be used with this control plane, if so: EKS publishes AL2
 * images up to 1.32, and Windows Server 2025 images from 1.35 on. Admission lets through what has a
 * second `@`.
 */
export function unsupportedAlias(nodeClass: EC2NodeClass, kubernetesVersion: string): string | undefined {
  const minor = Number(kubernetesVersion.split('.')[1]);
  for (const [index, { alias }] of amiSelectorTermsOf(nodeClass).entries()) {
    if (alias === undefined) continue;
    const field = `spec.amiSelectorTerms[${index}].alias "${alias}"`;
    const [family, ...rest] = alias.split('@');
    if (rest.length !== 1 || familyOfAlias(alias) === undefined) {
      return `${field}: must be family@version, such as ${exampleOf(alias) === alias ? 'al2023@v20240807' : exampleOf(alias)}`;
    }
    if (family === 'al2' && minor >= 33) {
      return `${field}: there are no AL2 images for Kubernetes ${kubernetesVersion}; use al2023`;
    }
    if (family === 'windows2025' && minor < 35) {
      return `${field}: images start with Kubernetes 1.35; this cluster is ${kubernetesVersion}`;
    }
  }
  return undefined;
}
