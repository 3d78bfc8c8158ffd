import { awsAnnotations, karpenterAnnotations, karpenterLabels } from '../labels.ts';

/** Labels and annotations that have another name since v1beta1. */
const renamedLabelKeys: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/provisioner-name', karpenterLabels.nodePool],
  ['karpenter.sh/do-not-evict', karpenterAnnotations.doNotDisrupt],
  ['karpenter.sh/do-not-consolidate', karpenterAnnotations.doNotDisrupt],
  ['karpenter.k8s.aws/nodetemplate-hash', awsAnnotations.ec2NodeClassHash],
]);

/** Where a label is named by a value: in requirements, affinity terms and spread constraints. */
const namingFields: ReadonlySet<string> = new Set(['key', 'topologyKey']);

/** The value with every old label and annotation under its present name, wherever it stands; the same value if there is none. */
export function withRenamedKeys<T>(value: T): T {
  return (mentionsOld(value) ? renamedIn(value) : value) as T;
}

const mentionsOld = (value: unknown): boolean => {
  const text = JSON.stringify(value) ?? '';
  return [...renamedLabelKeys.keys()].some((key) => text.includes(`"${key}"`));
};

function renamedIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamedIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      renamedLabelKeys.get(key) ?? key,
      namingFields.has(key) && typeof member === 'string'
        ? (renamedLabelKeys.get(member) ?? member)
        : renamedIn(member),
    ]),
  );
}

/** The present name of a label or annotation that was renamed. */
export const presentName = (key: string): string | undefined => renamedLabelKeys.get(key);
