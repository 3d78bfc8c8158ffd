import type { ManifestPath } from './lint-rule.ts';

/** `spec.disruption.budgets[0].nodes`, `metadata.annotations["karpenter.sh/do-not-disrupt"]` */
export const printManifestPath = (path: ManifestPath): string =>
  path
    .map((step, index) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[\w-]+$/.test(step)
          ? `${index === 0 ? '' : '.'}${step}`
          : `["${step}"]`,
    )
    .join('');
