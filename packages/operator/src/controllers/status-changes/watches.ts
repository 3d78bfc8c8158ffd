import type { Conditioned } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { CachedCollection } from '../../objects/collection.ts';
import type { Publisher } from '../../reporting/publisher.ts';
import type { OperatorSettings } from '../../settings.ts';
import type { Objects } from '../../state/objects.ts';
import { reportStatusChange } from './report.ts';

type StatusChangeSources = {
  readonly clock: Clock;
  readonly objects: Objects;
  readonly publish: Publisher;
  readonly settings: Pick<OperatorSettings, 'nodeOverlay' | 'capacityBuffer'>;
};

/** `operatorpkg.<kind>.status` looks at every change of an object with conditions. */
export function watchStatusChanges({ clock, objects, publish, settings }: StatusChangeSources): void {
  const watchKind = <T extends Conditioned>({ type, cache }: CachedCollection<T>): void => {
    cache.onChange((change) => publish(reportStatusChange(type, change, clock.now())));
  };
  watchKind(objects.nodeClaims);
  watchKind(objects.nodePools);
  watchKind(objects.nodeClasses);
  watchKind(objects.nodes);
  if (settings.nodeOverlay) watchKind(objects.nodeOverlays);
  if (settings.capacityBuffer) watchKind(objects.capacityBuffers);
}
