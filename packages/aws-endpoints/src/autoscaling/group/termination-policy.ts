import { byText, byNumberOf, byTextOf, inOrder, inReverse } from '@nodewright/apis';
import { activeOf, type AutoScalingGroupRecord, type GroupInstance } from './group.ts';

/**
 * Which instance a scale-in ends: from the zone that has most, then of an older template version, then the oldest.
 * Protected instances stay.
 */
export function nextToEnd(group: AutoScalingGroupRecord): GroupInstance | undefined {
  const active = activeOf(group);
  const inZone = (zone: string): number => active.filter((instance) => instance.zone === zone).length;
  return active
    .filter((instance) => !instance.protected)
    .toSorted(
      inOrder(
        inReverse(byNumberOf(({ zone }) => inZone(zone))),
        byNumberOf(({ template }) => Number(template.version)),
        byNumberOf(({ launchedAt }) => launchedAt),
        byTextOf(({ id }) => id),
      ),
    )[0];
}

/** Zones in the order in which they get the next instance: the emptiest first. */
export function zonesToFill(group: AutoScalingGroupRecord): readonly string[] {
  const active = activeOf(group);
  const count = (zone: string): number => active.filter((instance) => instance.zone === zone).length;
  return group.zones.toSorted(inOrder(byNumberOf(count), byText));
}

/** Whether two zones differ by more than one instance. */
export function isUnbalanced(group: AutoScalingGroupRecord): boolean {
  const active = activeOf(group);
  const counts = group.zones.map((zone) => active.filter((instance) => instance.zone === zone).length);
  return Math.max(...counts) - Math.min(...counts) > 1;
}
