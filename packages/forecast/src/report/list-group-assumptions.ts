import { nodeGroups, nodes, type Pod } from '@nodewright/apis';
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
      (these) => `managed node groups without a NodeGroup (${these}) are updated by nobody unless the forecast is told`,
    ),
    ...about(
      managedGroups.filter(({ update }) => update !== undefined).map(({ name }) => name),
      (these) => `the update of ${these} that is under way begins its present phase anew`,
    ),
    ...about(
      scalingGroups.filter(({ isRefreshing }) => isRefreshing).map(({ name }) => name),
      (these) => `the instance refresh of ${these} that is under way replaces nothing more`,
    ),
  ];
}

function nodesOfGroups({ kubernetes, aws }: Snapshot, groups: readonly string[]): ReadonlySet<string> {
  const { scalingGroups = [], managedGroups = [] } = aws;
  const owned = managedGroups.filter(({ name }) => groups.includes(name)).map(({ scalingGroup }) => scalingGroup);
  const members = new Set(
    scalingGroups
      .filter(({ name }) => owned.includes(name) || groups.includes(name))
      .flatMap(({ instances }) => instances.map(({ id }) => id)),
  );
  return new Set(
    snapshotObjects(kubernetes, nodes)
      .filter(
        ({ metadata, spec }) =>
          members.has(spec?.providerID?.split('/').at(-1) ?? '') ||
          groups.includes(metadata.labels?.['eks.amazonaws.com/nodegroup'] ?? ''),
      )
      .map(({ metadata }) => metadata.name),
  );
}

const countPodsOn = (names: ReadonlySet<string>, running: readonly Pod[]): number =>
  running.filter(({ spec }) => names.has(spec.nodeName ?? '')).length;
