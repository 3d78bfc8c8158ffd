import { nodeGroups, nodes, type Pod } from '@nodewright/apis';
import { readUpdateStages } from '../restore/read-update-stages.ts';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ForecastAssumption } from './forecast-report.ts';

/** What a forecast takes for granted of node groups: those that it cannot move, and what it does not know of the past. */
export function listGroupAssumptions(snapshot: Snapshot, running: readonly Pod[]): readonly ForecastAssumption[] {
  const { kubernetes, aws } = snapshot;
  const { nodeGroups: names, managedGroups = [], scalingGroups = [] } = aws;
  const described = new Set(managedGroups.map(({ name }) => name));
  const kept = new Set(snapshotObjects(kubernetes, nodeGroups).flatMap(({ spec }) => spec.eks?.name ?? []));
  const about = (groups: readonly string[], says: (names: string) => string): readonly ForecastAssumption[] =>
    groups.length === 0
      ? []
      : [{ says: says(groups.join(', ')), pods: countPodsOn(nodesOfGroups(snapshot, groups), running) }];
  return [
    ...about(
      names.filter((name) => !described.has(name)),
      (these) => `nodes of managed node groups that could not be described (${these}) stay as they are`,
    ),
    ...about(
      names.filter((name) => described.has(name) && !kept.has(name)),
      (these) =>
        `managed node groups without a NodeGroup (${these}) stay on their release unless --update-group names them`,
    ),
    ...managedGroups
      .filter(({ update }) => update !== undefined)
      .flatMap(({ name }) => about([name], () => describeUpdateUnderWay(snapshot, name))),
    ...about(
      scalingGroups.filter(({ isRefreshing }) => isRefreshing).map(({ name }) => name),
      (these) => `the instance refresh of ${these} that is under way replaces nothing more`,
    ),
  ];
}

/** EKS does not tell how far an update is. */
function describeUpdateUnderWay(snapshot: Snapshot, group: string): string {
  const stages = readUpdateStages(snapshot.kubernetes);
  const members = listInstancesOfGroups(snapshot, [group]);
  const apart = [...members].flatMap((id) => stages.get(id) ?? []);
  const draining = apart.filter((stage) => stage !== 'setApart').length;
  const says = `the update of node group ${group} that is under way goes on from what is seen of it`;
  return apart.length === 0
    ? `${says}: its size, and the image of its ${members.size} instances; none is set apart`
    : `${says}: ${apart.length} nodes are set apart, ${draining} of them drain; since when is not known, so the minute and the 15 minutes that EKS gives a drain begin anew`;
}

function nodesOfGroups(snapshot: Snapshot, groups: readonly string[]): ReadonlySet<string> {
  const members = listInstancesOfGroups(snapshot, groups);
  return new Set(
    snapshotObjects(snapshot.kubernetes, nodes)
      .filter(
        ({ metadata, spec }) =>
          members.has(spec?.providerID?.split('/').at(-1) ?? '') ||
          groups.includes(metadata.labels?.['eks.amazonaws.com/nodegroup'] ?? ''),
      )
      .map(({ metadata }) => metadata.name),
  );
}

/** The ids of the instances of these groups. */
function listInstancesOfGroups({ aws }: Snapshot, groups: readonly string[]): ReadonlySet<string> {
  const { scalingGroups = [], managedGroups = [] } = aws;
  const owned = managedGroups.filter(({ name }) => groups.includes(name)).map(({ scalingGroup }) => scalingGroup);
  return new Set(
    scalingGroups
      .filter(({ name }) => owned.includes(name) || groups.includes(name))
      .flatMap(({ instances }) => instances.map(({ id }) => id)),
  );
}

const countPodsOn = (names: ReadonlySet<string>, running: readonly Pod[]): number =>
  running.filter(({ spec }) => names.has(spec.nodeName ?? '')).length;
