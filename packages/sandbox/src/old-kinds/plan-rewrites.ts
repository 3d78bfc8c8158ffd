import {
  apiVersionOf,
  type KubernetesObject,
  type ObjectMeta,
  type OwnerReference,
  rewriteToV1,
  type ResourceType,
} from '@nodewright/apis';

/** An object of v1 and the old one of the same name, as far as they are there. */
export type OldAndNew = {
  readonly oldType: ResourceType;
  readonly newType: ResourceType;
  readonly old: KubernetesObject | undefined;
  readonly made: KubernetesObject | undefined;
};

/** What makes the object of v1 follow the old one. */
export type RewritePlan =
  | { readonly kind: 'create' | 'update'; readonly object: KubernetesObject }
  | { readonly kind: 'delete'; readonly uid: string }
  | { readonly kind: 'leave'; readonly problem?: string };

/** Holds what was written last, so that nothing is written twice and what others change meanwhile is theirs. */
const writtenAnnotation = 'nodewright.dev/rewritten';
const appliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

type RewriteOptions = Parameters<typeof rewriteToV1>[1];

/** @param others every old object: kubelet settings of a Provisioner go to the class of its AWSNodeTemplate */
export function planRewrite(
  pair: OldAndNew,
  others: readonly KubernetesObject[],
  options: RewriteOptions,
): RewritePlan {
  const { old, made, oldType } = pair;
  const owner = made?.metadata.ownerReferences?.find((reference) => isReferenceTo(oldType, reference));
  if (old === undefined || old.metadata.deletionTimestamp !== undefined) {
    const isLeft = made !== undefined && owner !== undefined && made.metadata.deletionTimestamp === undefined;
    return old === undefined && isLeft ? { kind: 'delete', uid: made.metadata.uid ?? '' } : { kind: 'leave' };
  }
  if (made?.metadata.deletionTimestamp !== undefined) return { kind: 'leave' };
  if (made !== undefined && owner === undefined) {
    const problem = `${made.kind} ${made.metadata.name} is there and was not made of this ${old.kind}; delete one of the two`;
    return { kind: 'leave', problem };
  }
  const wanted = rewrittenFrom(old, others, options);
  if (wanted === undefined) return { kind: 'leave', problem: 'this object cannot be rewritten to v1' };
  const reference = { ...referenceTo(oldType, old), controller: true, blockOwnerDeletion: true };
  if (made === undefined)
    return { kind: 'create', object: withMetadata(wanted, { name: old.metadata.name }, reference) };
  const isWritten = made.metadata.annotations?.[writtenAnnotation] === JSON.stringify(wanted);
  return isWritten && owner?.uid === old.metadata.uid
    ? { kind: 'leave' }
    : { kind: 'update', object: { ...made, ...withMetadata(wanted, made.metadata, reference) } };
}

/** What the object of v1 gets from the old one: labels, annotations and spec. */
function rewrittenFrom(old: KubernetesObject, others: readonly KubernetesObject[], options: RewriteOptions) {
  const all = [old, ...others.filter((other) => other !== old)].map(withoutTraces);
  const [outcome] = rewriteToV1(all, options);
  return outcome !== undefined && 'object' in outcome ? outcome.object : undefined;
}

/** What belongs to the old object alone is not carried over. */
function withoutTraces({ apiVersion, kind, metadata, ...rest }: KubernetesObject & { readonly spec?: unknown }) {
  const { name, labels, annotations = {} } = metadata;
  const kept = Object.entries(annotations).filter(([key]) => key !== appliedAnnotation);
  return {
    apiVersion,
    kind,
    metadata: { name, ...(labels && { labels }), ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) },
    ...(rest.spec !== undefined && { spec: rest.spec }),
  } as KubernetesObject;
}

function withMetadata(wanted: KubernetesObject, before: ObjectMeta, reference: OwnerReference): KubernetesObject {
  const { labels, annotations } = wanted.metadata;
  return {
    ...wanted,
    metadata: {
      ...before,
      labels: { ...before.labels, ...labels },
      annotations: { ...before.annotations, ...annotations, [writtenAnnotation]: JSON.stringify(wanted) },
      ownerReferences: [reference],
    },
  };
}

const referenceTo = (type: ResourceType, { metadata }: KubernetesObject): OwnerReference => ({
  apiVersion: apiVersionOf(type),
  kind: type.kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
});

const isReferenceTo = (type: ResourceType, { apiVersion, kind }: OwnerReference): boolean =>
  apiVersion === apiVersionOf(type) && kind === type.kind;
