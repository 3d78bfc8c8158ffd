import { nodeClaims, type NodeClaim } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

/** A warning on a claim, reported once for each reason. */
export const warnAboutClaim = (about: NodeClaim, reason: string, message: string): EventReport => ({
  kind: nodeClaims,
  about,
  type: 'Warning',
  reason,
  message,
  dedupe: [about.metadata.uid ?? about.metadata.name],
});
