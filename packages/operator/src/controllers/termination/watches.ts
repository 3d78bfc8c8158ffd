import type { NodeClaim } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { drainBackoff, startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { nodesWith, ownName, wakeOnChange } from '../../hosting/wake.ts';
import { workersFor, type OperatorSettings } from '../../settings.ts';
import { terminationReconciler } from './reconciler.ts';
import type { TerminationDeps } from './perform.ts';

type TerminationWatchSources = Pick<TerminationDeps, 'objects' | 'client' | 'absences' | 'evict'> & {
  readonly settings: OperatorSettings;
};

/**
 * `node.termination` wakes for a node that changes, for the node of a claim that changes, and for a leaving node when one
 * of its pods or volume attachments changes.
 */
export function startTerminationController(host: ControllerHost, sources: TerminationWatchSources): Controller {
  const { settings, ...rest } = sources;
  const { objects } = sources;
  const termination = startNamed(host, 'node.termination', (turn) => terminationReconciler({ ...turn, ...rest }), {
    workers: workersFor(settings, [100, 5_000]),
    backoff: drainBackoff,
  });
  const nodesOfClaim = ({ status }: NodeClaim): readonly string[] => nodesWith(objects, status?.providerID);
  const leavingNode = (name = ''): readonly string[] =>
    objects.nodes.get(name)?.metadata.deletionTimestamp === undefined ? [] : [name];
  wakeOnChange(objects.nodes, [[termination, ownName]]);
  wakeOnChange(objects.nodeClaims, [[termination, nodesOfClaim]]);
  wakeOnChange(objects.pods, [[termination, ({ spec }) => leavingNode(spec.nodeName)]]);
  wakeOnChange(objects.volumeAttachments, [[termination, ({ spec }) => leavingNode(spec.nodeName)]]);
  return termination;
}
