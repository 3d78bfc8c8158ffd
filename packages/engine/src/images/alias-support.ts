import { exampleOf, familyOfAlias } from './alias.ts';
import type { ImageQuery } from './image-query.ts';

/**
 * Why an alias cannot be used with this control plane, if so: EKS publishes AL2 images up to 1.32,
 * and Windows Server 2025 images from 1.35 on. Admission accepts an alias with a second `@`.
 */
export function unsupportedAlias({ terms, kubernetesVersion }: ImageQuery): string | undefined {
  const minor = Number(kubernetesVersion.split('.')[1]);
  for (const [index, { alias }] of terms.entries()) {
    if (alias === undefined) continue;
    const field = `spec.amiSelectorTerms[${index}].alias "${alias}"`;
    const [family, ...rest] = alias.split('@');
    if (rest.length !== 1 || familyOfAlias(alias) === undefined) {
      return `${field}: must be family@version, such as ${exampleOf(alias) === alias ? 'al2023@v20240828' : exampleOf(alias)}`;
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
