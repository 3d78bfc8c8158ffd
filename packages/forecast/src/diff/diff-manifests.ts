import {
  byTextOf,
  type EC2NodeClass,
  ec2NodeClasses,
  inOrder,
  type Instant,
  karpenterLabels,
  type KubernetesObject,
  type NodeClaim,
  nodeClaims,
  type NodePool,
  nodePools,
  type NodeRolloutPolicy,
  nodeRolloutPolicies,
  type ResourceType,
  inReverse,
} from '@nodewright/apis';
import { assignPolicies, ec2NodeClassHash, governablePool, governedId, nodePoolHash } from '@nodewright/engine';
import { readImageRules } from '@nodewright/operator';
import type { Cloud, Instance } from '@nodewright/ports';
import { ApiError, type KubernetesClient, listAll } from '@nodewright/runtime';
import { listFieldChanges } from './field-changes.ts';
import { findNodeDrift } from './find-node-drift.ts';
import { type ClassSources, type FoundClass, lookUpClass } from './look-up-class.ts';
import type { ManifestDiff, NodeDiff, ObjectDiff } from './manifest-diff.ts';
import { applyOver, withPoolHash } from './would-be-objects.ts';

export type DiffSources = {
  readonly client: KubernetesClient;
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'instanceTypes' | 'instances' | 'controlPlane'>;
  readonly now: Instant;
};

/**
 * What would change if the manifests were applied.
 * @param manifests with the defaults that an API server fills in
 */
export async function diffManifests(
  manifests: readonly KubernetesObject[],
  { client, cloud, now }: DiffSources,
  signal: AbortSignal,
): Promise<ManifestDiff> {
  const standing = {
    pools: (await listAll(client, nodePools)).items,
    classes: (await listAll(client, ec2NodeClasses)).items,
    claims: (await listAll(client, nodeClaims)).items,
    policies: await listIfServed(client, nodeRolloutPolicies),
  };
  const pools = changedObjects<NodePool>(manifests, 'NodePool', standing.pools);
  const classes = changedObjects<EC2NodeClass>(manifests, 'EC2NodeClass', standing.classes);
  const rules = await readImageRules(client);
  const finder = new ClassFinder({ cloud, rules, now }, signal);
  const instances = new Map((await cloud.instances.list(signal)).map((each) => [each.providerId, each]));
  const policies = policiesOfPools(standing, pools);
  const nodes: NodeDiff[] = [];
  for (const claim of standing.claims) {
    const before = standing.pools.find(
      (pool) => pool.metadata.name === claim.metadata.labels?.[karpenterLabels.nodePool],
    );
    if (before === undefined || claim.metadata.deletionTimestamp !== undefined) continue;
    const after = pools.get(before.metadata.name)?.after ?? before;
    const [oldClass, newClass] = [classNameOfPool(before), classNameOfPool(after)];
    if (after === before && !classes.has(newClass)) continue;
    const instance = instances.get(claim.status?.providerID ?? '');
    const oldFound = await finder.find(findClass(standing.classes, oldClass));
    const newFound = await finder.find(classes.get(newClass)?.after ?? findClass(standing.classes, newClass));
    nodes.push(
      diffNode(
        { claim, instance, now, policy: policies.get(governedId({ kind: 'NodePool', name: after.metadata.name })) },
        { nodePool: before, found: oldFound },
        { nodePool: withPoolHash(after), found: newFound },
      ),
    );
  }
  const objects: ObjectDiff[] = [...pools.values()].map(diffPool);
  for (const changed of classes.values())
    objects.push(diffClass(changed, await finder.find(changed.before), await finder.find(changed.after)));
  return {
    objects: objects.toSorted(
      inOrder(
        inReverse(byTextOf(({ kind }) => kind)),
        byTextOf(({ name }) => name),
      ),
    ),
    nodes: nodes.toSorted(
      inOrder(
        byTextOf(({ nodePool }) => nodePool),
        byTextOf(({ node }) => node),
      ),
    ),
    others: manifests
      .filter(({ kind }) => !isDiffed(kind))
      .map(({ kind = '', metadata }) => `${kind} ${metadata.name}`),
  };
}

const isDiffed = (kind: string | undefined): boolean => kind === 'NodePool' || kind === 'EC2NodeClass';

type ChangedObject<T> = { readonly before: T | undefined; readonly after: T };

function changedObjects<T extends KubernetesObject & { readonly spec: unknown }>(
  manifests: readonly KubernetesObject[],
  kind: 'NodePool' | 'EC2NodeClass',
  standing: readonly T[],
): ReadonlyMap<string, ChangedObject<T>> {
  // The kind tells the shape.
  const written = manifests.filter(
    (object) => object.kind === kind,
  ) as readonly KubernetesObject[] as unknown as readonly T[];
  return new Map(
    written.map((object) => {
      const before = standing.find(({ metadata }) => metadata.name === object.metadata.name);
      return [object.metadata.name, { before, after: before === undefined ? object : applyOver(before, object) }];
    }),
  );
}

const classNameOfPool = ({ spec }: NodePool): string => spec.template.spec.nodeClassRef.name;

const findClass = (classes: readonly EC2NodeClass[], name: string): EC2NodeClass | undefined =>
  classes.find(({ metadata }) => metadata.name === name);

/** Looks each class up once. */
class ClassFinder {
  readonly #sources: ClassSources;
  readonly #signal: AbortSignal;
  readonly #found = new Map<EC2NodeClass, FoundClass>();

  constructor(sources: ClassSources, signal: AbortSignal) {
    this.#sources = sources;
    this.#signal = signal;
  }

  async find(nodeClass: EC2NodeClass | undefined): Promise<FoundClass | undefined> {
    if (nodeClass === undefined) return undefined;
    const known = this.#found.get(nodeClass) ?? (await lookUpClass(nodeClass, this.#sources, this.#signal));
    this.#found.set(nodeClass, known);
    return known;
  }
}

type NodeFacts = {
  readonly claim: NodeClaim;
  readonly instance: Instance | undefined;
  readonly now: Instant;
  readonly policy: string | undefined;
};

type Wanted = { readonly nodePool: NodePool; readonly found: FoundClass | undefined };

function diffNode({ claim, instance, now, policy }: NodeFacts, before: Wanted, after: Wanted): NodeDiff {
  const old = findNodeDrift({ claim, instance, now, ...before });
  const verdict = findNodeDrift({ claim, instance, now, ...after });
  return {
    node: claim.status?.nodeName ?? claim.metadata.name,
    nodePool: before.nodePool.metadata.name,
    nodeClass: classNameOfPool(after.nodePool),
    ...(old === undefined ? {} : { now: old.reason }),
    ...(verdict === undefined ? {} : { after: verdict.reason, because: verdict.because }),
    ...(policy === undefined ? {} : { policy }),
  };
}

function diffPool({ before, after }: ChangedObject<NodePool>): ObjectDiff {
  const fields = listFieldChanges(before?.spec, after.spec, 'spec');
  return {
    kind: 'NodePool',
    name: after.metadata.name,
    change: before === undefined ? 'new' : fields.length === 0 ? 'same' : 'changed',
    fields: before === undefined ? [] : fields,
    hash: { ...(before === undefined ? {} : { before: nodePoolHash(before) }), after: nodePoolHash(after) },
  };
}

function diffClass(
  { before, after }: ChangedObject<EC2NodeClass>,
  oldFound: FoundClass | undefined,
  newFound: FoundClass | undefined,
): ObjectDiff {
  const fields = [
    ...listFieldChanges(before?.spec, after.spec, 'spec'),
    ...listFieldChanges(annotationsOfPeople(before), annotationsOfPeople(after), 'metadata.annotations'),
  ];
  return {
    kind: 'EC2NodeClass',
    name: after.metadata.name,
    change: before === undefined ? 'new' : fields.length === 0 ? 'same' : 'changed',
    fields: before === undefined ? [] : fields,
    hash: { ...(before === undefined ? {} : { before: ec2NodeClassHash(before) }), after: ec2NodeClassHash(after) },
    images: { before: oldFound?.images ?? [], after: newFound?.images ?? [] },
    ...(newFound?.problem === undefined ? {} : { problem: newFound.problem }),
  };
}

/** kubectl and the controllers write their own; an exported manifest carries them along. */
const annotationsOfPrograms =
  /^(kubectl\.kubernetes\.io\/|nodewright\.dev\/releases-seen$|karpenter\.k8s\.aws\/ec2nodeclass-hash)/;

const annotationsOfPeople = (object: EC2NodeClass | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(object?.metadata.annotations ?? {}).filter(([key]) => !annotationsOfPrograms.test(key)),
  );

type PolicySources = { readonly pools: readonly NodePool[]; readonly policies: readonly NodeRolloutPolicy[] };

function policiesOfPools(
  { pools, policies }: PolicySources,
  changed: ReadonlyMap<string, ChangedObject<NodePool>>,
): ReadonlyMap<string, string> {
  const governed = pools.map((pool) => governablePool(changed.get(pool.metadata.name)?.after ?? pool));
  return assignPolicies(policies, governed).policyOf;
}

async function listIfServed<T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType<T>,
): Promise<readonly T[]> {
  try {
    return (await listAll(client, type)).items;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return [];
    throw error;
  }
}
