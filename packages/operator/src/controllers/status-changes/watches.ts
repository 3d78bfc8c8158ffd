import { fromTimestamp, type Conditioned } from '@nodewright/apis';
import type { CachedCollection } from '../../objects/collection.ts';
import { conditionChanged, reportFinalized, finalizersGone, transitionsBetween } from './report.ts';
import type { ControllerDeps } from '../../hosting/controller-host.ts';

/** `operatorpkg.<kind>.status`: tells of every condition that changes and of every finalizer that goes. */
export function observeStatus({ objects, report, counters, settings }: ControllerDeps): void {
  const observe = <T extends Conditioned>({ type, cache }: CachedCollection<T>): void => {
    const kind = type.kind.toLowerCase();
    cache.onChange(({ before, after }) => {
      for (const transition of transitionsBetween(before, after)) {
        if (after !== undefined) report(conditionChanged(type, after, transition));
        counters.conditionChanged(
          kind,
          transition.to,
          stayedMs(transition.from.lastTransitionTime, transition.to.lastTransitionTime),
        );
      }
      if (before === undefined) return;
      for (const finalizer of finalizersGone(before, after)) report(reportFinalized(type, after ?? before, finalizer));
    });
  };
  observe(objects.nodeClaims);
  observe(objects.nodePools);
  observe(objects.nodeClasses);
  observe(objects.nodes);
  if (settings.nodeOverlay) observe(objects.nodeOverlays);
  if (settings.capacityBuffer) observe(objects.capacityBuffers);
}

/** Zero when it is not known: a kubelet may report a condition without a time. */
function stayedMs(from = '', to = ''): number {
  const ms = fromTimestamp(to) - fromTimestamp(from);
  return ms > 0 ? ms : 0;
}
