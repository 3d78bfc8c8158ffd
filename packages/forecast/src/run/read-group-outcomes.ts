import { byTextOf, nodeGroups } from '@nodewright/apis';
import type { ForecastWorld } from '../world/forecast-world.ts';
import type { RunGroup } from './run-record.ts';

/** How the groups stand that are not what they are to be, by name. */
export async function readGroupOutcomes({ admin, aws, time }: ForecastWorld): Promise<readonly RunGroup[]> {
  const { items } = await time.finish(admin.list(nodeGroups));
  const kept = items.flatMap(({ metadata, spec, status }): readonly RunGroup[] => {
    const { phase = 'Pending', reason = '', nodes } = status ?? {};
    const isDone = phase === 'UpToDate' || phase === 'Pending';
    if (isDone || (phase === 'Outdated' && spec.update?.mode === 'OnRequest')) return [];
    const group = spec.eks?.name ?? spec.autoScalingGroup?.name ?? metadata.name;
    return [{ group, phase, reason, nodesLeft: Math.max(0, (nodes?.total ?? 0) - (nodes?.updated ?? 0)) }];
  });
  const owned = new Set(items.flatMap(({ spec }) => spec.eks?.name ?? []));
  return [...kept, ...readManagedOutcomes(aws, owned)].toSorted(byTextOf(({ group }) => group));
}

/** Of managed groups that no NodeGroup keeps: what became of their last update. */
function readManagedOutcomes(
  { eks, autoScaling }: ForecastWorld['aws'],
  owned: ReadonlySet<string>,
): readonly RunGroup[] {
  return eks.nodeGroups.all().flatMap(({ name, resources }) => {
    const last = eks.nodeGroups.updatesOf(name).findLast(({ type }) => type === 'VersionUpdate');
    if (owned.has(name) || last === undefined || last.status === 'Successful') return [];
    const old = autoScaling
      .find(resources?.groupName ?? '')
      ?.instances.filter(({ template }) => template.version !== resources?.pointer).length;
    const reason = last.errors.map(({ errorCode, errorMessage }) => `${errorCode}: ${errorMessage}`).join('; ');
    const phase = last.status === 'Failed' ? 'Failed' : 'Updating';
    return [{ group: name, phase, reason: reason === '' ? 'its update is not done' : reason, nodesLeft: old ?? 0 }];
  });
}
