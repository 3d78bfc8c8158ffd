import type { NodeClaim, Pod } from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';
import type { StoredCommand } from '../../state/disruption-command.ts';
import { launchRecordOf } from '../../state/launch-record.ts';

/** What may wait for a launch. */
export type PodsInNeed = {
  /** Pods without a node, in the order in which they get places that became free. */
  readonly waiting: readonly Pod[];
  /** Nodes whose pods need a place elsewhere. */
  readonly leavingNodes: readonly NodeState[];
};

/**
 * UIDs of the pods that get their place from a launch that is late: nothing else is launched for them until the launch
 * succeeds or is given up.
 *
 * Pods that ask for the same are interchangeable. The scheduler may have bound a pod to a node that was launched for an
 * equal one; the place that the bound pod leaves at its own launch then goes to an equal pod that still waits. Pods of a
 * node that is being replaced wait for its replacement: they are not evicted before it is ready.
 * @param classOf equal text for pods that ask for the same, as the launch record has it
 */
export function podsOfLateLaunches(
  { late, commands }: { readonly late: readonly NodeClaim[]; readonly commands: readonly StoredCommand[] },
  { waiting, leavingNodes }: PodsInNeed,
  classOf: (pod: Pod) => string,
): ReadonlySet<string> {
  if (late.length === 0) return new Set();
  const replaced = claimsWithLateReplacement(late, commands);
  const promised = new Set(leavingNodes.filter((node) => replaced.has(claimNameOf(node))).flatMap(uidsOfPods));
  const asking = [...waiting, ...leavingNodes.flatMap(({ pods }) => pods)];
  const uids = new Set(asking.map(uidOf));
  const places = new Map<string, number>();
  for (const [schedulingClass, recorded] of late.flatMap((claim) => [...(launchRecordOf(claim)?.classes ?? [])])) {
    const present = recorded.filter((uid) => uids.has(uid) && !promised.has(uid));
    for (const uid of present) promised.add(uid);
    places.set(schedulingClass, (places.get(schedulingClass) ?? 0) + recorded.length - present.length);
  }
  if ([...places.values()].every((count) => count === 0)) return promised;
  for (const pod of asking) {
    if (promised.has(uidOf(pod))) continue;
    const schedulingClass = classOf(pod);
    const left = places.get(schedulingClass) ?? 0;
    if (left === 0) continue;
    places.set(schedulingClass, left - 1);
    promised.add(uidOf(pod));
  }
  return promised;
}

/** @param uids of pods that get their place otherwise */
export const withoutPods = (pods: readonly Pod[], uids: ReadonlySet<string>): readonly Pod[] =>
  uids.size === 0 ? pods : pods.filter((pod) => !uids.has(uidOf(pod)));

function claimsWithLateReplacement(
  late: readonly NodeClaim[],
  commands: readonly StoredCommand[],
): ReadonlySet<string | undefined> {
  const names = new Set(late.map(nameOf));
  return new Set(
    commands
      .filter(({ created }) => created.some((claim) => names.has(nameOf(claim))))
      .flatMap(({ candidates }) => candidates.map(nameOf)),
  );
}

const nameOf = ({ metadata }: NodeClaim): string => metadata.name;

const claimNameOf = ({ nodeClaim }: NodeState): string | undefined => nodeClaim?.metadata.name;

const uidsOfPods = ({ pods }: NodeState): readonly string[] => pods.map(uidOf);

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';
