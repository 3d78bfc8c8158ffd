import { isConditionTrue, type NodeClaim } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { objectNames, ownName, wakeOnChange } from '../../hosting/wake.ts';
import { isLookedAtForLaunch } from '../../state/launch-look.ts';
import type { NodeClassDeps } from './perform.ts';
import { nodeClassReconciler } from './reconciler.ts';

/**
 * `nodeclass` wakes for an EC2NodeClass or an ImageRule that changes, for the class of a claim that is being deleted, for
 * that of a claim to launch when nobody has looked closely for a while, and every minute unless the cloud tells that
 * nothing changes.
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
  wakeOnChange(objects.imageRules, [[classes, () => objectNames(objects.nodeClasses.list())]]);
  const classToLookAt = (claim: NodeClaim): readonly string[] =>
    isConditionTrue(claim, 'Launched') || isLookedAtForLaunch(decisions, claim, host.clock.now())
      ? []
      : [claim.spec.nodeClassRef.name];
  wakeOnChange(objects.nodeClaims, [
    [classes, classOfLeavingClaim],
    [classes, classToLookAt],
  ]);
  host.cloud.changes?.onChange(() => classes.stir());
  return classes;
}

/** A class that is being deleted waits for its last claim. */
const classOfLeavingClaim = ({ metadata, spec }: NodeClaim): readonly string[] =>
  metadata.deletionTimestamp === undefined ? [] : [spec.nodeClassRef.name];
