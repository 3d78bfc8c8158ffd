import type { Instant, Node, NodeClaim } from '@nodewright/apis';
import type { Instance, InstancePort } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import type { Absences, AbsenceVerdict } from '../../state/absences.ts';
import { findNodeOfClaim, findNodeOfInstance } from '../../state/node-identity.ts';
import type { InstanceNews } from '../../state/instance-news.ts';
import { isLeaseRenewed } from '../../state/node-lease.ts';
import type { Objects } from '../../state/objects.ts';
import { claimsWithoutInstance, instancesWithoutClaim } from './suspects.ts';

/** What one listing lacks, and what a closer look says of it. */
export type GarbageSnapshot = {
  readonly claims: readonly { readonly claim: NodeClaim; readonly verdict: AbsenceVerdict }[];
  readonly instances: readonly {
    readonly instance: Instance;
    /** The Node that the instance is. */
    readonly node: Node | undefined;
    /** Of its claim. */
    readonly verdict: AbsenceVerdict;
  }[];
};

export type GarbageSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly instances: InstancePort;
  /** Instances of claims that EC2 did not describe. */
  readonly absences: Absences;
  /** Claims of instances that the API server did not have. */
  readonly absentClaims: Absences;
  readonly instanceNews: InstanceNews;
};

export async function observeGarbage(
  sources: GarbageSources,
  now: Instant,
  signal: AbortSignal,
): Promise<GarbageSnapshot> {
  const { objects, instances } = sources;
  // Claims before instances: what is launched in between is in the second list only, and too young to be touched.
  const claims = objects.nodeClaims.list();
  const listed = { claims, instances: await instances.list(signal) };
  sources.instanceNews.listed(listed.instances);
  const missing = claimsWithoutInstance(listed, (claim) => findNodeOfClaim(objects, claim));
  return {
    claims: await Promise.all(
      missing.map(async (claim) => ({ claim, verdict: await judgeClaim(sources, claim, now, signal) })),
    ),
    instances: await judgeInstances(sources, listed, now),
  };
}

/** Asks EC2 by id, and then looks at the Lease: a kubelet that renews it runs on a machine that exists. */
async function judgeClaim(
  { objects, client, instances, absences }: GarbageSources,
  claim: NodeClaim,
  now: Instant,
  signal: AbortSignal,
): Promise<AbsenceVerdict> {
  const { providerID = '', nodeName: name = '' } = claim.status ?? {};
  if ((await instances.checkPresence(providerID, signal)) === 'present') return absences.found(providerID);
  const node = findNodeOfClaim(objects, claim);
  return (await isLeaseRenewed(client, { name, node }, now))
    ? absences.found(providerID)
    : absences.missed(providerID, now);
}

type ListedMachines = { readonly claims: readonly NodeClaim[]; readonly instances: readonly Instance[] };

/** What was missed twice is looked up in the API server itself: a watch may lag however long. */
async function judgeInstances(
  { objects, absentClaims }: GarbageSources,
  listed: ListedMachines,
  now: Instant,
): Promise<GarbageSnapshot['instances']> {
  const suspects = instancesWithoutClaim(listed, now);
  const known = new Set(suspects.map(({ id }) => id));
  for (const { id } of listed.instances) if (!known.has(id)) absentClaims.found(id);
  const judged = suspects.map((instance) => ({ instance, verdict: absentClaims.missed(instance.id, now) }));
  if (judged.every(({ verdict }) => verdict.kind !== 'gone'))
    return judged.map((each) => ({ ...each, node: undefined }));
  const orphans = new Set(
    instancesWithoutClaim({ claims: await objects.nodeClaims.readAll(), instances: suspects }, now),
  );
  return judged.map(({ instance, verdict }) => ({
    instance,
    verdict: orphans.has(instance) ? verdict : absentClaims.found(instance.id),
    node: findNodeOfInstance(objects.nodes.by('providerId', instance.providerId), instance),
  }));
}
