import { type NodeRollout, type NodeRolloutPolicy, seconds } from '@nodewright/apis';
import type { Controller, KubernetesClient } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, objectNames, ownName, wakeOnChange } from '../../hosting/wake.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import type { Absences } from '../../state/absences.ts';
import type { GroupReadings } from '../../state/group-readings.ts';
import type { Objects } from '../../state/objects.ts';
import { nodeGroupReconciler } from './reconciler.ts';

type NodeGroupWatchSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly absences: Absences;
  readonly readings: GroupReadings;
};

/** Pods have so many minutes to leave a node: a call that failed must not be waited out for as long. */
const whileDraining = { baseMs: seconds(1), maxMs: seconds(30) };

/** `nodegroup` wakes for a NodeGroup, an ImageRule or a DisruptionPause that changes, for what policies let
 * go and how far their rollouts are, and when its plan asks for it. */
export function startNodeGroupController(host: ControllerHost, sources: NodeGroupWatchSources): Controller {
  const { random } = host;
  const since = host.clock.now();
  const groups = startNamed(host, 'nodegroup', (turn) => nodeGroupReconciler({ ...turn, ...sources, random, since }), {
    workers: 10,
    backoff: whileDraining,
  });
  wakeOnChange(sources.objects.nodeGroups, [[groups, ownName]]);
  const all = (): readonly string[] => objectNames(sources.objects.nodeGroups.list());
  wakeOnChange(sources.objects.imageRules, [[groups, all]]);
  wakeOnChange(sources.objects.pauses, [[groups, all]]);
  wakeOnChange(sources.objects.rolloutPolicies, [[groups, all]], isAnotherAdmission);
  wakeOnChange(sources.objects.rollouts, [[groups, all]], isAnotherStage);
  return groups;
}

/** Another policy governs groups, or it has let others go. */
const isAnotherAdmission = (before: NodeRolloutPolicy | undefined, after: NodeRolloutPolicy | undefined): boolean =>
  isAnotherGeneration(before, after) ||
  !isEqualDiffValue(admittedGroups(before), admittedGroups(after)) ||
  (before?.status?.baseline === undefined) !== (after?.status?.baseline === undefined);

const admittedGroups = (policy: NodeRolloutPolicy | undefined): readonly string[] =>
  (policy?.status?.admitted ?? []).filter(({ object }) => object.startsWith('NodeGroup/')).map(({ node }) => node);

const isAnotherStage = (before: NodeRollout | undefined, after: NodeRollout | undefined): boolean =>
  !isEqualDiffValue(stageOfRollout(before), stageOfRollout(after));

const stageOfRollout = (rollout: NodeRollout | undefined) =>
  rollout && {
    uid: rollout.metadata.uid,
    wave: rollout.status?.wave,
    halted: rollout.status?.halted?.variants,
    endedAt: rollout.status?.endedAt,
  };
