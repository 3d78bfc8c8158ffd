import { isConditionTrue, type NodeClaim, type NodeRollout, type NodeRolloutPolicy } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, objectNames, ownName, wakeOnChange } from '../../hosting/wake.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import { isLookedAtForLaunch } from '../../state/launch-look.ts';
import { findLeavingClass } from './leaving-class.ts';
import type { NodeClassDeps } from './perform.ts';
import { nodeClassReconciler } from './reconciler.ts';

/**
 * `nodeclass` wakes for an EC2NodeClass or an ImageRule that changes, for a rollout that lets other images go, for a class that
 * is being deleted when a claim of it is, for the class of a claim to launch when its images were not read for a while, and
 * every minute unless the cloud tells that nothing changes.
 */
export function startNodeClassController(
  host: ControllerHost,
  sources: Pick<NodeClassDeps, 'objects' | 'decisions'>,
): Controller {
  const { objects, decisions } = sources;
  const classes = startNamed(host, 'nodeclass', (turn) => nodeClassReconciler({ ...turn, ...sources }), {
    workers: 10,
  });
  wakeOnChange(objects.nodeClasses, [[classes, ownName]]);
  const allClasses = (): readonly string[] => objectNames(objects.nodeClasses.list());
  wakeOnChange(objects.imageRules, [[classes, allClasses]]);
  wakeOnChange(objects.rolloutPolicies, [[classes, allClasses]], isGatedOtherwise);
  wakeOnChange(objects.rollouts, [[classes, allClasses]], isAnotherStage);
  const classToLookAt = (claim: NodeClaim): readonly string[] =>
    isConditionTrue(claim, 'Launched') || isLookedAtForLaunch(decisions, claim, host.clock.now())
      ? []
      : [claim.spec.nodeClassRef.name];
  wakeOnChange(objects.nodeClaims, [
    [classes, (claim) => findLeavingClass(claim, (name) => objects.nodeClasses.get(name))],
    [classes, classToLookAt],
  ]);
  host.cloud.changes?.onChange(() => classes.stir());
  return classes;
}

/** Another policy, or another baseline: launches may get another image. */
const isGatedOtherwise = (before: NodeRolloutPolicy | undefined, after: NodeRolloutPolicy | undefined): boolean =>
  isAnotherGeneration(before, after) ||
  before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp ||
  !isEqualDiffValue(before?.status?.baseline, after?.status?.baseline);

/** A rollout came, went, ended, halted, lost a node or reached its last wave. */
const isAnotherStage = (before: NodeRollout | undefined, after: NodeRollout | undefined): boolean =>
  !isEqualDiffValue(stageOf(before), stageOf(after));

const stageOf = (rollout: NodeRollout | undefined) => ({
  uid: rollout?.metadata.uid,
  endedAt: rollout?.status?.endedAt,
  halted: rollout?.status?.halted?.variants,
  failures: rollout?.status?.failures?.map(({ variant }) => variant),
  lastWave: rollout?.status?.waves?.at(-1)?.startedAt,
});
