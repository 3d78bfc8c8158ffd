import { fromTimestamp, instant, karpenterAnnotations, parseDuration } from '@nodewright/apis';
import type { Instant, Pod } from '@nodewright/apis';
import { isActivePod } from './pod-state.ts';

/** What a pod's `karpenter.sh/do-not-disrupt` says. */
export type Protection =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly value: string }
  | { readonly kind: 'forever' }
  /** Counted from the pod's start; `until` is absent while it has not started. */
  | { readonly kind: 'limited'; readonly until?: Instant };

/** Reads the annotation: `true`, or a positive duration from the pod's start. Anything else protects nothing. */
export function protectionOf({ metadata, status }: Pod): Protection {
  const value = metadata.annotations?.[karpenterAnnotations.doNotDisrupt];
  if (value === undefined) return { kind: 'none' };
  if (value === 'true') return { kind: 'forever' };
  const ms = positiveDuration(value);
  if (ms === undefined) return { kind: 'invalid', value };
  if (status?.startTime === undefined) return { kind: 'limited' };
  return { kind: 'limited', until: instant(fromTimestamp(status.startTime) + ms) };
}

function positiveDuration(text: string): number | undefined {
  try {
    const ms = parseDuration(text);
    return ms > 0 ? ms : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the pod must not be disrupted at `now`. Pods that have ended or are ending never are protected. */
export function isProtected(pod: Pod, now: Instant): boolean {
  if (!isActivePod(pod)) return false;
  const protection = protectionOf(pod);
  if (protection.kind === 'limited') return protection.until === undefined || now < protection.until;
  return protection.kind === 'forever';
}
