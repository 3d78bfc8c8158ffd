import type { EC2NodeClass, KubernetesObject } from '@nodewright/apis';
import type { Loop } from '@nodewright/runtime';
import { startNamedLoop, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration } from '../../hosting/wake.ts';
import type { CacheChange } from '../../objects/object-cache.ts';
import type { Objects } from '../../state/objects.ts';
import type { OverlaidTypes } from '../../state/overlaid-types.ts';
import { overlayLoop } from './loop.ts';

type OverlayWatchSources = { readonly objects: Objects; readonly overlays: OverlaidTypes };

/**
 * `nodeoverlay.controller` wakes for an overlay, NodePool or EC2NodeClass with another spec, for a class whose subnets
 * become known, and every six hours.
 */
export function startOverlayLoop(host: ControllerHost, sources: OverlayWatchSources): Loop {
  const { nodeOverlays, nodePools, nodeClasses } = sources.objects;
  const evaluation = startNamedLoop(host, 'nodeoverlay.controller', (turn) => overlayLoop({ ...turn, ...sources }));
  const again = ({ before, after }: CacheChange<KubernetesObject>): void => {
    if (isAnotherGeneration(before, after)) evaluation.trigger();
  };
  nodeOverlays.cache.onChange(again);
  nodePools.cache.onChange(again);
  nodeClasses.cache.onChange((change) => {
    if (gainsSubnets(change.before, change.after)) evaluation.trigger();
    else again(change);
  });
  return evaluation;
}

/** From then on its instance types can be listed. */
const gainsSubnets = (before: EC2NodeClass | undefined, after: EC2NodeClass | undefined): boolean =>
  (before?.status?.subnets ?? []).length === 0 && (after?.status?.subnets ?? []).length > 0;
