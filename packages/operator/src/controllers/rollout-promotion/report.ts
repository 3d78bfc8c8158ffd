import type { NodeRolloutPolicy } from '@nodewright/apis';
import type { Publication, UpstreamReading } from '@nodewright/engine';
import { logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { UpstreamState } from '../../state/upstream-records.ts';
import type { PublicationPlan } from './plan.ts';

/** A turn: what was known before it and after it, and what was planned with the record of the policy. */
type EvidenceTurn = {
  readonly before: UpstreamState | undefined;
  readonly after: UpstreamState;
  /** Absent for a policy that publishes nothing. */
  readonly plan: PublicationPlan | undefined;
};

/** The conditions of the policy show what is true now. The log has what changes: places that fail, and that work again. */
export const reportEvidence = (policy: NodeRolloutPolicy, turn: EvidenceTurn): readonly ReportEntry[] => {
  const NodeRolloutPolicy = { name: policy.metadata.name };
  return [
    ...turn.after.readings.flatMap((reading) => reportReading(reading, findReadingBefore(turn, reading))),
    ...reportPublication(turn),
  ].map((entry) => ({ ...entry, fields: { NodeRolloutPolicy, ...entry.fields } }));
};

const findReadingBefore = ({ before }: EvidenceTurn, { requirement }: UpstreamReading): UpstreamReading | undefined =>
  before?.readings.find((each) => each.requirement === requirement);

function reportReading(reading: UpstreamReading, before: UpstreamReading | undefined) {
  const wasUnreadable = before?.kind === 'unreadable';
  if (reading.kind === 'read')
    return wasUnreadable ? [logEntry('info', 'the record of another cluster is read again', clusterOf(reading))] : [];
  if (wasUnreadable && before.message === reading.message) return [];
  return [logEntry('warn', 'the record of another cluster cannot be read', { reason: reading.message })];
}

const clusterOf = ({ record }: Extract<UpstreamReading, { readonly kind: 'read' }>) => ({ cluster: record.cluster });

function reportPublication({ before, after, plan }: EvidenceTurn) {
  const { publication } = after;
  if (publication === undefined) return [];
  if (publication.kind === 'published')
    return plan?.kind === 'publish'
      ? [logEntry('debug', 'published the record of a policy', placeOf(publication))]
      : [];
  const known = before?.publication;
  if (known?.kind === 'failed' && known.because === publication.because) return [];
  const fields = { ...placeOf(publication), reason: publication.because };
  return [logEntry('warn', 'the record of a policy is not published', fields)];
}

const placeOf = ({ place }: Publication) => ({ place });
