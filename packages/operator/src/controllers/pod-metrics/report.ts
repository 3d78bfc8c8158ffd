import { fromTimestamp, type Instant, type Pod } from '@nodewright/apis';
import { counterEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { PodMilestone } from './plan.ts';

/** @param schedulableSince when a round first found a place for the pod, if one did */
export function reportPodMilestone(
  { metadata: { creationTimestamp } }: Pod,
  { kind, at }: PodMilestone,
  schedulableSince: Instant | undefined,
): readonly ReportEntry[] {
  const sinceCreation = creationTimestamp ? passedMs(fromTimestamp(creationTimestamp), at) : undefined;
  const sincePlace = schedulableSince === undefined ? undefined : passedMs(schedulableSince, at);
  return [
    ...(sinceCreation === undefined ? [] : [counterEntry(kind === 'bound' ? 'podBound' : 'podStarted', sinceCreation)]),
    ...(sincePlace === undefined
      ? []
      : [counterEntry('podProvisioned', kind === 'bound' ? 'bound' : 'startup', sincePlace)]),
  ];
}

const passedMs = (from: Instant, to: Instant): number => Math.max(0, to - from);
