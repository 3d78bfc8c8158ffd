import type { NodePool } from '@nodewright/apis';
import { isProvisionable } from '@nodewright/engine';
import type { Controller, Loop } from '@nodewright/runtime';
import { startNamedLoop, startQuiet, type ControllerHost } from '../../hosting/controller-host.ts';
import { ownName, wakeOnChange } from '../../hosting/wake.ts';
import { cacheKeyOf, type CacheChange } from '../../objects/object-cache.ts';
import { workersFor, type OperatorSettings } from '../../settings.ts';
import type { OverlaidTypes } from '../../state/overlaid-types.ts';
import { isReadyPool, type RoundSources } from './observe.ts';
import type { RoundDeps } from './perform.ts';
import { PortionLimit } from './portion-limit.ts';
import { ToldPods } from './preferences.ts';
import { createProvisioner, type ProvisionerDeps } from './loop.ts';
import { RoundNews } from './round-news.ts';
import { RoundPauses } from './round-pauses.ts';
import { isNodeToGo, nodeTrigger, podTrigger } from './triggers.ts';

type ProvisioningSources = Omit<RoundSources, 'instanceTypes'> &
  Omit<RoundDeps, 'clock' | 'publish'> &
  Pick<ProvisionerDeps, 'options' | 'unsynced'> & {
    readonly overlays: OverlaidTypes;
    readonly settings: OperatorSettings;
  };

/**
 * `provisioner` runs after each batch window. A window opens for a pod without a place and for a node that is to go, again
 * every ten seconds, for a NodePool that becomes ready while pods wait, for NodeOverlays that were evaluated anew, and for
 * a capacity buffer. Pods that a round has left without a place ask ever more rarely while nothing changes (`RoundNews`).
 */
export function startProvisioning(host: ControllerHost, sources: ProvisioningSources): readonly (Controller | Loop)[] {
  const { objects, window, podTimes, overlays, settings } = sources;
  const tuning = { workers: workersFor(settings, [10, 1_000]) };
  const news = new RoundNews(objects, host.cloud.changes);
  const pauses = new RoundPauses(news);
  const seePod = podTrigger({ objects, window, podTimes, clock: host.clock, pauses });
  const pods = startQuiet(host, 'provisioner.trigger.pod', seePod, tuning);
  const nodes = startQuiet(host, 'provisioner.trigger.node', nodeTrigger({ objects, window }), tuning);
  wakeOnChange(objects.pods, [[pods, (pod) => (isProvisionable(pod) ? [cacheKeyOf(pod)] : [])]]);
  wakeOnChange(objects.nodes, [[nodes, (node) => (isNodeToGo(node) ? ownName(node) : [])]]);
  objects.nodePools.cache.onChange(({ before, after }: CacheChange<NodePool>) => {
    if (after === undefined || !isReadyPool(after) || (before !== undefined && isReadyPool(before))) return;
    // Pods may have waited for the pool: they need not wait until they ask again.
    if (objects.pods.by('node', '').some(isProvisionable)) window.trigger(`nodepool ${after.metadata.name} is ready`);
  });
  overlays.onChange(() => {
    news.note();
    window.trigger('node overlays were evaluated');
  });
  news.onNews(() => pods.stir());
  const { inspection } = host;
  const memory = { toldOf: new ToldPods(), portion: new PortionLimit(), pauses, inspection };
  const provisioner = startNamedLoop(host, 'provisioner', (turn) =>
    createProvisioner({ ...turn, ...sources, ...memory }),
  );
  return [pods, nodes, provisioner];
}
