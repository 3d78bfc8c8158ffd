import { type KubernetesObject, nodeRolloutPolicies, type NodeRolloutPolicy } from '@nodewright/apis';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ForecastAssumption } from './forecast-report.ts';

type PolicyPlace = {
  readonly kubernetes: Snapshot['kubernetes'];
  /** Of the change. */
  readonly manifests: readonly KubernetesObject[];
  readonly pods: number;
};

/** What policies would ask elsewhere: a forecast asks no other system. */
export function listPolicyAssumptions({ kubernetes, manifests, pods }: PolicyPlace): readonly ForecastAssumption[] {
  const changed = manifests.filter(isPolicy);
  const names = new Set(changed.map(({ metadata }) => metadata.name));
  const policies = [
    ...snapshotObjects(kubernetes, nodeRolloutPolicies).filter(({ metadata }) => !names.has(metadata.name)),
    ...changed,
  ];
  return policies.flatMap(({ metadata: { name }, spec }) => {
    const checks = (spec.health?.checks ?? []).filter(({ job }) => job === undefined).map((check) => check.name);
    const says = [
      ...(checks.length === 0
        ? []
        : [`checks of NodeRolloutPolicy ${name} (${checks.join(', ')}) are not asked: its waves wait for them`]),
      ...((spec.promotion?.require ?? []).length === 0
        ? []
        : [`records that NodeRolloutPolicy ${name} requires are not read: no release counts as proven elsewhere`]),
    ];
    return says.map((each) => ({ says: each, pods }));
  });
}

const isPolicy = (manifest: KubernetesObject): manifest is NodeRolloutPolicy =>
  manifest.kind === nodeRolloutPolicies.kind;
