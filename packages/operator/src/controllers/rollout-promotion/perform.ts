import { fromTimestamp, type Instant, type NodeRolloutPolicy } from '@nodewright/apis';
import { buildEvidenceRecord, type EvidenceRecord, nextPublication } from '@nodewright/engine';
import type { Objects } from '../../state/objects.ts';
import { rolloutsOfPolicy } from '../../state/rollout-governance.ts';
import type { UpstreamState } from '../../state/upstream-records.ts';
import { provingNodes } from './observe.ts';
import {
  limitsOfPlace,
  type PlacedText,
  type PlaceDeps,
  printPlace,
  readRecordPlace,
  type RecordPlace,
  writeRecordPlace,
} from './places.ts';
import { readRecordText, writeRecordText } from './record-text.ts';

export type PublishDeps = PlaceDeps & {
  readonly objects: Objects;
  readonly clusterName: string;
  readonly now: Instant;
};

export type Published = Pick<UpstreamState, 'announced' | 'publication'> & { readonly nextAt?: Instant };

/** Publishes what the policy has proven, when it says something new or grows old. */
export async function publishRecord(
  deps: PublishDeps,
  policy: NodeRolloutPolicy,
  signal: AbortSignal,
): Promise<Published> {
  const place = policy.spec.promotion?.publish;
  if (place === undefined || policy.spec.mode === 'Report') return {};
  const failed = (because: string): Published => ({
    publication: { kind: 'failed', place: printPlace(place), because },
  });
  if (deps.clusterName === '') return failed('CLUSTER_NAME is not set, and others know this cluster by it');
  const before = await readRecordPlace(deps, place, signal);
  if (before.kind === 'failed') return failed(before.message);
  const last = lastOwnRecord(deps, policy, before);
  if (last.kind === 'foreign') return failed(last.because);
  const record = buildRecord(deps, policy, last.record);
  const dueAt = nextPublication(record, last.record, deps.now);
  const announced = (shown: EvidenceRecord | undefined): Published => ({
    announced: { cluster: deps.clusterName, ...(shown?.running === undefined ? {} : { running: shown.running }) },
    publication: { kind: 'published', place: printPlace(place) },
  });
  if (dueAt > deps.now) return { ...announced(last.record), nextAt: dueAt };
  return storeRecord({ deps, place, before, signal }, record, { previous: last.hash, announced, failed });
}

type Writing = {
  readonly deps: PublishDeps;
  readonly place: RecordPlace;
  readonly before: PlacedText;
  readonly signal: AbortSignal;
};

async function storeRecord(
  { deps, place, before, signal }: Writing,
  record: EvidenceRecord,
  {
    previous,
    announced,
    failed,
  }: {
    readonly previous: string;
    readonly announced: (shown: EvidenceRecord) => Published;
    readonly failed: (because: string) => Published;
  },
): Promise<Published> {
  const text = writeRecordText(record, previous, limitsOfPlace(place));
  const outcome = await writeRecordPlace(deps, place, { text, before, signal });
  if (outcome.kind === 'failed') return failed(outcome.message);
  return { ...announced(record), nextAt: nextPublication(record, record, deps.now) };
}

const buildRecord = (
  { objects, clusterName, now }: PublishDeps,
  { metadata }: NodeRolloutPolicy,
  before: EvidenceRecord | undefined,
): EvidenceRecord =>
  buildEvidenceRecord({
    cluster: clusterName,
    policy: metadata.name,
    rollouts: rolloutsOfPolicy(objects, metadata.name),
    nodes: provingNodes(objects, metadata.name),
    before: before !== undefined && fromTimestamp(before.at) <= now ? before : undefined,
    now,
  });

type OwnRecord =
  | { readonly kind: 'own'; readonly record: EvidenceRecord | undefined; readonly hash: string }
  | { readonly kind: 'foreign'; readonly because: string };

/** What this policy has published before. The record of somebody else is never overwritten. */
function lastOwnRecord({ clusterName }: PublishDeps, { metadata }: NodeRolloutPolicy, before: PlacedText): OwnRecord {
  if (before.kind !== 'found') return { kind: 'own', record: undefined, hash: '' };
  const read = readRecordText(before.text);
  if (read.kind === 'unreadable')
    return { kind: 'foreign', because: `what is stored there is not overwritten: ${read.message}` };
  const { cluster, policy } = read.record;
  if (cluster === clusterName && policy === metadata.name) return { kind: 'own', record: read.record, hash: read.hash };
  return { kind: 'foreign', because: `the record of policy ${policy} of cluster ${cluster} is stored there` };
}
