import { seconds } from '@nodewright/apis';
import type { Controller, KubernetesClient } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { objectNames, ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { Absences } from '../../state/absences.ts';
import type { Objects } from '../../state/objects.ts';
import { nodeGroupReconciler } from './reconciler.ts';

type NodeGroupWatchSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly absences: Absences;
};

/** Pods have so many minutes to leave a node: a call that failed must not be waited out for as long. */
const whileDraining = { baseMs: seconds(1), maxMs: seconds(30) };

/** `nodegroup` wakes for a NodeGroup, an ImageRule or a DisruptionPause that changes, and when its plan asks for it. */
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
  return groups;
}
