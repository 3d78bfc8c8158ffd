import type { NodeClaim } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { objectNames, ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { NodeClassDeps } from './perform.ts';
import { nodeClassReconciler } from './reconciler.ts';

/** `nodeclass` wakes for an EC2NodeClass or an ImageRule that changes, for the class of a claim that is being deleted, and every minute. */
export function startNodeClassController(
  host: ControllerHost,
  sources: Pick<NodeClassDeps, 'objects' | 'decisions'>,
): Controller {
  const { objects } = sources;
  const classes = startNamed(host, 'nodeclass', (turn) => nodeClassReconciler({ ...turn, ...sources }), {
    workers: 10,
  });
  wakeOnChange(objects.nodeClasses, [[classes, ownName]]);
  wakeOnChange(objects.imageRules, [[classes, () => objectNames(objects.nodeClasses.list())]]);
  wakeOnChange(objects.nodeClaims, [[classes, classOfLeavingClaim]]);
  return classes;
}

/** A class that is being deleted waits for its last claim. */
const classOfLeavingClaim = ({ metadata, spec }: NodeClaim): readonly string[] =>
  metadata.deletionTimestamp === undefined ? [] : [spec.nodeClassRef.name];
