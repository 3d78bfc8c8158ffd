import { type KubernetesObject, type Pod, pods } from '@nodewright/apis';
import { isActivePod } from '@nodewright/engine';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ForecastAssumption } from './forecast-report.ts';
import { listBootAssumptions } from './list-boot-assumptions.ts';
import { listGroupAssumptions } from './list-group-assumptions.ts';
import { listPolicyAssumptions } from './list-policy-assumptions.ts';

/** Owners whose pods are made anew in a forecast as in a cluster. */
const knownOwners: ReadonlySet<string> = new Set([
  'DaemonSet',
  'Job',
  'Node',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
]);

/** What the forecast cannot know, each with the number of pods that it concerns. */
export function listAssumptions(
  snapshot: Snapshot,
  manifests: readonly KubernetesObject[],
): readonly ForecastAssumption[] {
  const { kubernetes, unread } = snapshot;
  const running = snapshotObjects(kubernetes, pods).filter(isActivePod);
  const all = running.length;
  const foreign = running.filter((pod) => !knownOwners.has(ownerKind(pod)));
  const scheduled = running.filter(
    ({ spec, metadata }) =>
      (spec.schedulerName ?? 'default-scheduler') !== 'default-scheduler' && metadata.namespace !== 'kube-system',
  );
  return [
    { says: 'no release is published but those that the forecast is given', pods: all },
    { says: 'webhooks of the cluster are not asked, and nothing scales by load', pods: all },
    ...listBootAssumptions(snapshot, running),
    {
      says: 'EC2 has capacity for every type that it offered at the time of the snapshot, and no quota on vCPUs is reached',
      pods: all,
    },
    ...(foreign.length === 0
      ? []
      : [{ says: `pods of ${ownerKindsOf(foreign)} are not made anew after an eviction`, pods: foreign.length }]),
    ...(scheduled.length === 0
      ? []
      : [{ says: 'pods of other schedulers are left without a node', pods: scheduled.length }]),
    ...listGroupAssumptions(snapshot, running),
    ...listPolicyAssumptions({ kubernetes, manifests, pods: all }),
    ...unread.map(({ what, because }) => ({
      says: `${what} could not be read (${because}) and counts as empty`,
      pods: all,
    })),
  ];
}

const ownerKind = ({ metadata }: Pod): string =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.kind ?? 'no owner';

const ownerKindsOf = (found: readonly Pod[]): string => [...new Set(found.map(ownerKind))].toSorted().join(', ');
