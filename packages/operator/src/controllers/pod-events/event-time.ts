import {
  conditionOf,
  fromTimestamp,
  instant,
  latest,
  seconds,
  type ContainerStatus,
  type Instant,
  type Pod,
} from '@nodewright/apis';
import { isTerminal } from '@nodewright/engine';

/**
 * When a bound pod last came, ended or was asked to end, by the timestamps in the pod itself. A process that sees it
 * later, as after a restart, comes to the same answer. `undefined` when the pod has none of them.
 */
export function eventTimeOf(pod: Pod): Instant | undefined {
  const told = [cameAt(pod), ...(isTerminal(pod) ? endedAt(pod) : []), askedToEndAt(pod)];
  const times = told.flatMap((text) => text ?? []).filter((time) => !Number.isNaN(time));
  return latest(...times);
}

function cameAt(pod: Pod): Instant | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  const bound = scheduled?.status === 'True' ? scheduled.lastTransitionTime : undefined;
  const text = bound ?? pod.status?.startTime ?? pod.metadata.creationTimestamp;
  return text === undefined ? undefined : fromTimestamp(text);
}

const endedAt = ({ status }: Pod): readonly Instant[] => (status?.containerStatuses ?? []).flatMap(finishedAt);

function finishedAt({ state }: ContainerStatus): readonly Instant[] {
  const { finishedAt: text } = (state?.['terminated'] ?? {}) as { readonly finishedAt?: string };
  return text === undefined ? [] : [fromTimestamp(text)];
}

/** `deletionTimestamp` is when the grace is over. */
function askedToEndAt({ metadata }: Pod): Instant | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) return undefined;
  return instant(fromTimestamp(deletionTimestamp) - seconds(deletionGracePeriodSeconds));
}
