import {
  fromTimestamp,
  type Condition,
  type Conditioned,
  type Instant,
  type KubernetesObject,
  type ResourceType,
} from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';
import { counterEntry, eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { describeSubject } from '../../reporting/status-subject.ts';

/** An object before and after something changed; none before its creation and after its end. */
export type ObservedChange<T> = { readonly before: T | undefined; readonly after: T | undefined };

/**
 * An event and an increment for every condition that changed, an event for every finalizer that is gone, and how long the
 * end of an object took.
 */
export function reportStatusChange<T extends Conditioned>(
  kind: ResourceType<T>,
  { before, after }: ObservedChange<T>,
  now: Instant,
): readonly ReportEntry[] {
  const about = after ?? before;
  if (about === undefined) return [];
  return [
    ...transitionsBetween(before, after).flatMap((transition) => [
      eventEntry(conditionChanged(kind, about, transition)),
      counterEntry('conditionChanged', describeSubject(kind.kind, about), transition.to, stayedMs(transition)),
    ]),
    ...finalizersGone(before, after).map((finalizer) => eventEntry(finalizerGone(kind, about, finalizer))),
    ...(after === undefined ? reportEnd(kind, about, now) : []),
  ];
}

/** An object without finalizers is gone at once, and its request to go was never seen. */
function reportEnd(kind: ResourceType, about: KubernetesObject, now: Instant): readonly ReportEntry[] {
  const { deletionTimestamp } = about.metadata;
  if (deletionTimestamp === undefined) return [];
  const tookMs = Math.max(0, now - fromTimestamp(deletionTimestamp));
  return [counterEntry('objectEnded', describeSubject(kind.kind, about), tookMs)];
}

/** Zero when it is not known: a kubelet may report a condition without a time. */
function stayedMs({ from, to }: ConditionTransition): number {
  const ms = fromTimestamp(to.lastTransitionTime ?? '') - fromTimestamp(from.lastTransitionTime ?? '');
  return ms > 0 ? ms : 0;
}

/** A condition whose status is another than it was. */
export type ConditionTransition = { readonly from: Condition; readonly to: Condition };

/** Conditions that were there before and have another status now; the first appearance of a condition is none. */
export function transitionsBetween(
  before: Conditioned | undefined,
  after: Conditioned | undefined,
): readonly ConditionTransition[] {
  const was = new Map((before?.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  return (after?.status?.conditions ?? []).flatMap((to) => {
    const from = was.get(to.type);
    return from === undefined || from.status === to.status ? [] : [{ from, to }];
  });
}

/** Finalizers that are gone, the object's end included. */
export const finalizersGone = (
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): readonly string[] =>
  (before?.metadata.finalizers ?? []).filter((name) => !(after?.metadata.finalizers ?? []).includes(name));

/** Told every time: the reason is the type of the condition. */
export function conditionChanged(
  kind: ResourceType,
  about: KubernetesObject,
  { from, to }: ConditionTransition,
): EventReport {
  const words = `Status condition transitioned, Type: ${to.type}, Status: ${from.status} -> ${to.status}, Reason: ${to.reason ?? ''}`;
  const message = to.message === undefined || to.message === '' ? words : `${words}, Message: ${to.message}`;
  return { kind, about, type: 'Normal', reason: to.type, message };
}

const finalizerGone = (kind: ResourceType, about: KubernetesObject, finalizer: string): EventReport => ({
  kind,
  about,
  type: 'Normal',
  reason: 'Finalized',
  message: `Finalized ${finalizer}`,
});
