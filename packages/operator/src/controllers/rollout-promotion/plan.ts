import { fromTimestamp, type Instant } from '@nodewright/apis';
import { buildEvidenceRecord, type EvidenceRecord, nextPublication } from '@nodewright/engine';
import type { PublicationSnapshot } from './observe.ts';
import { limitsOfPlace, type PlacedText } from './record-place.ts';
import { readRecordText, writeRecordText } from './record-text.ts';

export type PublicationPlan =
  | { readonly kind: 'fail'; readonly because: string }
  /** What is stored says everything and is new enough. */
  | { readonly kind: 'keep'; readonly record: EvidenceRecord | undefined; readonly nextAt: Instant }
  | {
      readonly kind: 'publish';
      readonly record: EvidenceRecord;
      readonly text: string;
      readonly before: PlacedText;
      readonly nextAt: Instant;
    };

/** Whether the record of a policy is stored anew: when it says something else, or has grown old. */
export function planPublication(snapshot: PublicationSnapshot, now: Instant): PublicationPlan {
  const { stored, place } = snapshot;
  if (stored === undefined)
    return { kind: 'fail', because: 'CLUSTER_NAME is not set, and others know this cluster by it' };
  if (stored.kind === 'failed') return { kind: 'fail', because: stored.message };
  const last = findOwnRecord(snapshot, stored);
  if (last.kind === 'foreign') return { kind: 'fail', because: last.because };
  const record = buildRecord(snapshot, last.record, now);
  const dueAt = nextPublication(record, last.record, now);
  if (dueAt > now) return { kind: 'keep', record: last.record, nextAt: dueAt };
  const text = writeRecordText(record, last.hash, limitsOfPlace(place));
  return { kind: 'publish', record, text, before: stored, nextAt: nextPublication(record, record, now) };
}

const buildRecord = (
  { policy, clusterName, rollouts, nodes, upstream }: PublicationSnapshot,
  before: EvidenceRecord | undefined,
  now: Instant,
): EvidenceRecord =>
  buildEvidenceRecord({
    cluster: clusterName,
    policy: policy.metadata.name,
    rollouts,
    nodes,
    promotion: policy.spec.promotion,
    upstream,
    before: before !== undefined && fromTimestamp(before.at) <= now ? before : undefined,
    now,
  });

type OwnRecord =
  | { readonly kind: 'own'; readonly record: EvidenceRecord | undefined; readonly hash: string }
  | { readonly kind: 'foreign'; readonly because: string };

/** What this policy has published before. The record of another one is never overwritten. */
function findOwnRecord(
  { clusterName, policy: { metadata } }: PublicationSnapshot,
  stored: Exclude<PlacedText, { kind: 'failed' }>,
): OwnRecord {
  if (stored.kind === 'absent') return { kind: 'own', record: undefined, hash: '' };
  const read = readRecordText(stored.text);
  if (read.kind === 'unreadable')
    return { kind: 'foreign', because: `what is stored there is not overwritten: ${read.message}` };
  const { cluster, policy } = read.record;
  if (cluster === clusterName && policy === metadata.name) return { kind: 'own', record: read.record, hash: read.hash };
  return { kind: 'foreign', because: `the record of policy ${policy} of cluster ${cluster} is stored there` };
}
