import type { Instant, Pod } from '@nodewright/apis';
import { isActivePod, protectionOf } from '@nodewright/engine';

/** What a person should know of the protection of a pod. */
export type ProtectionPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly value: string }
  | { readonly kind: 'holds'; readonly until: Instant }
  | { readonly kind: 'elapsed' };

export function planProtection(pod: Pod, now: Instant): ProtectionPlan {
  if (!isActivePod(pod)) return { kind: 'none' };
  const protection = protectionOf(pod);
  if (protection.kind === 'invalid') return { kind: 'invalid', value: protection.value };
  if (protection.kind !== 'limited' || protection.until === undefined) return { kind: 'none' };
  return now < protection.until ? { kind: 'holds', until: protection.until } : { kind: 'elapsed' };
}
