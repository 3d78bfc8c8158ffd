import {
  labelSelectorPredicate,
  type LabelSelector,
  type NodePool,
  type NodeRolloutPolicy,
  selectableLabels,
  byNumberOf,
  byTextOf,
  inOrder,
  inReverse,
} from '@nodewright/apis';

/** A NodePool or NodeGroup as policies select it. */
export type GovernableObject = {
  readonly kind: 'NodePool' | 'NodeGroup';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The EC2NodeClass of a NodePool. */
  readonly nodeClass?: string;
};

export const governablePool = (pool: NodePool): GovernableObject => ({
  kind: 'NodePool',
  name: pool.metadata.name,
  labels: selectableLabels(pool),
  nodeClass: pool.spec.template.spec.nodeClassRef.name,
});

export type Governance = {
  /** Name of the policy that governs each object, by `NodePool/NAME` or `NodeGroup/NAME`. */
  readonly policyOf: ReadonlyMap<string, string>;
  /** What people should know, by policy. */
  readonly remarks: readonly GovernanceRemark[];
};

export type GovernanceRemark =
  /** Its NodePools fall to several policies or to none: none of them is governed. */
  | {
      readonly kind: 'NodeClassShared';
      readonly policy: string;
      readonly nodeClass: string;
      readonly pools: readonly string[];
    }
  /** Another policy selects the object with the same weight; the first by name governs it. */
  | { readonly kind: 'EqualWeight'; readonly policy: string; readonly other: string; readonly object: string };

export const governedId = ({ kind, name }: Pick<GovernableObject, 'kind' | 'name'>): string => `${kind}/${name}`;

/**
 * Which policy governs which object: of the policies that select it the heaviest, then the first by name. A NodeClass decides
 * about images for all its NodePools, so its pools are governed together or not at all.
 */
export function assignPolicies(
  policies: readonly NodeRolloutPolicy[],
  objects: readonly GovernableObject[],
): Governance {
  const ranked = policies.toSorted(
    inOrder(
      inReverse(byNumberOf(policyWeight)),
      byTextOf(({ metadata }) => metadata.name),
    ),
  );
  const policyOf = new Map<string, string>();
  const remarks: GovernanceRemark[] = [];
  for (const object of objects) {
    const [first, second] = ranked.filter((policy) => selectsObject(policy, object));
    if (first === undefined) continue;
    policyOf.set(governedId(object), first.metadata.name);
    if (second !== undefined && policyWeight(first) === policyWeight(second)) {
      const [policy, other] = [first.metadata.name, second.metadata.name];
      remarks.push({ kind: 'EqualWeight', policy, other, object: governedId(object) });
      remarks.push({ kind: 'EqualWeight', policy: other, other: policy, object: governedId(object) });
    }
  }
  remarks.push(...releaseSharedClasses(objects, policyOf));
  return { policyOf, remarks };
}

const policyWeight = ({ spec }: NodeRolloutPolicy): number => spec.weight ?? 0;

/** A selector for one kind leaves the other kind out; no selector selects everything. */
function selectsObject({ spec: { selector } }: NodeRolloutPolicy, { kind, labels }: GovernableObject): boolean {
  if (selector === undefined) return true;
  const own: LabelSelector | undefined = kind === 'NodePool' ? selector.nodePools : selector.nodeGroups;
  return labelSelectorPredicate(own)(labels);
}

/** Takes the pools of shared classes out of `policyOf`. */
function releaseSharedClasses(
  objects: readonly GovernableObject[],
  policyOf: Map<string, string>,
): readonly GovernanceRemark[] {
  const classes = new Set(objects.flatMap(({ nodeClass }) => nodeClass ?? []));
  return [...classes].toSorted().flatMap((nodeClass) => {
    const pools = objects.filter((object) => object.nodeClass === nodeClass);
    const policies = new Set(pools.map((pool) => policyOf.get(governedId(pool))));
    if (policies.size <= 1) return [];
    for (const pool of pools) policyOf.delete(governedId(pool));
    return [...policies].flatMap((policy) =>
      policy === undefined
        ? []
        : [{ kind: 'NodeClassShared' as const, policy, nodeClass, pools: pools.map(({ name }) => name).toSorted() }],
    );
  });
}
