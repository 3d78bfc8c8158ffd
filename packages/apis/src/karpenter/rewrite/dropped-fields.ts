import type { KubernetesObject } from '../../kubernetes/meta.ts';

/** What to write instead of a field that was proposed for Karpenter once and never came to be. */
export function droppedFieldRemedy(field: string, object: KubernetesObject): string | undefined {
  const name = field.slice(field.lastIndexOf('.') + 1);
  if (name === 'amiVersion') return amiVersionRemedy(object);
  return /^drift_?ttl$/i.test(name) ? driftTtlRemedy : undefined;
}

const driftTtlRemedy =
  'is not supported: it would hold back every kind of drift. minimumAgeDuration lets images bake (amiSelector, or a term of amiSelectorTerms); spec.disruption.budgets with reasons: [Drifted] pace drift';

type AnyManifest = { readonly spec?: object | null };

function amiVersionRemedy(object: KubernetesObject): string {
  const { amiFamily, amiVersion }: Readonly<Record<string, unknown>> = { ...(object as AnyManifest).spec };
  if (typeof amiFamily !== 'string' || typeof amiVersion !== 'string') {
    return 'is not supported: the release is a suffix of the family, as in amiFamily: Bottlerocket-v1.9.1';
  }
  return object.apiVersion === 'karpenter.k8s.aws/v1'
    ? `is not supported: write amiSelectorTerms: [{alias: ${amiFamily.toLowerCase()}@${amiVersion}}]`
    : `is not supported: the release is a suffix of the family; write amiFamily: ${amiFamily}-${amiVersion}`;
}
