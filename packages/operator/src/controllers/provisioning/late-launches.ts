import type { NodeClaim, Pod } from '@nodewright/apis';
import { launchRecordOf } from '../../state/launch-record.ts';

/**
 * UIDs of the waiting pods that get their place from a launch that is late: nothing else is launched for them until the
 * launch succeeds or is given up.
 *
 * Pods that ask for the same are interchangeable. The scheduler may have bound a pod to a node that was launched for an
 * equal one; the place that the bound pod leaves at its own launch then goes to an equal pod that still waits.
 * @param waiting in the order in which they get such places
 * @param classOf equal text for pods that ask for the same, as the launch record has it
 */
export function podsOfLateLaunches(
  late: readonly NodeClaim[],
  waiting: readonly Pod[],
  classOf: (pod: Pod) => string,
): ReadonlySet<string> {
  const uids = new Set(waiting.map(uidOf));
  const promised = new Set<string>();
  const places = new Map<string, number>();
  for (const [schedulingClass, recorded] of late.flatMap((claim) => [...(launchRecordOf(claim)?.classes ?? [])])) {
    const present = recorded.filter((uid) => uids.has(uid) && !promised.has(uid));
    for (const uid of present) promised.add(uid);
    places.set(schedulingClass, (places.get(schedulingClass) ?? 0) + recorded.length - present.length);
  }
  if ([...places.values()].every((count) => count === 0)) return promised;
  for (const pod of waiting) {
    if (promised.has(uidOf(pod))) continue;
    const schedulingClass = classOf(pod);
    const left = places.get(schedulingClass) ?? 0;
    if (left === 0) continue;
    places.set(schedulingClass, left - 1);
    promised.add(uidOf(pod));
  }
  return promised;
}

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';
