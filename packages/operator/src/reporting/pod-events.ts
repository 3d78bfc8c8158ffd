import { pods, type Pod } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

/** An event on a pod, reported once for each reason. */
export const aboutPod = (
  about: Pod,
  { type, reason, message }: Pick<EventReport, 'type' | 'reason' | 'message'>,
): EventReport => ({ kind: pods, about, type, reason, message, dedupe: [about.metadata.uid ?? ''] });
