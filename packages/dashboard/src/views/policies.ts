import { byTextOf, type Condition, type NodeRolloutPolicy } from '@nodewright/apis';
import type { ClusterReading } from '@nodewright/operator';
import type { PolicyRemark, PolicyRow } from '../rows/dashboard-rows.ts';

/** What each NodeRolloutPolicy governs, and what is to be known of it whether or not it leads a rollout. By name. */
export const viewPolicies = ({ rolloutObjects }: Pick<ClusterReading, 'rolloutObjects'>): readonly PolicyRow[] =>
  rolloutObjects.policies.map(viewPolicyRow).toSorted(byTextOf(({ id }) => id));

function viewPolicyRow({ metadata, spec, status = {} }: NodeRolloutPolicy): PolicyRow {
  const { governed, rollout } = status;
  return {
    id: metadata.name,
    mode: spec.mode ?? 'Automatic',
    ...(governed === undefined ? {} : { governed }),
    ...(rollout === undefined ? {} : { rollout }),
    notes: [...(status.conditions ?? []).flatMap(noteOfCondition), ...notesOfFailedImages(status)],
  };
}

type NoteKind = { readonly status: 'True' | 'False'; readonly urgency: PolicyRemark['urgency'] };

/** Conditions that a person has to know of, as they stand then. */
const toldConditions: ReadonlyMap<string, NoteKind> = new Map([
  ['Ready', { status: 'False', urgency: 'broken' }],
  ['BackingOff', { status: 'True', urgency: 'broken' }],
  ['EvidencePublished', { status: 'False', urgency: 'broken' }],
  ['NodeClassShared', { status: 'True', urgency: 'waitsForPerson' }],
  ['EqualWeight', { status: 'True', urgency: 'waitsForPerson' }],
  ['MaxAgeTooTight', { status: 'True', urgency: 'waitsForPerson' }],
  ['WaitingUpstream', { status: 'True', urgency: 'goesOn' }],
]);

function noteOfCondition({
  type,
  status,
  message = '',
  lastTransitionTime: since,
}: Condition): readonly PolicyRemark[] {
  const told = toldConditions.get(type);
  if (told?.status !== status) return [];
  return [
    {
      kind: type === 'Ready' ? 'NotReady' : type === 'EvidencePublished' ? 'EvidenceNotPublished' : type,
      urgency: told.urgency,
      message,
      ...(since === undefined ? {} : { since }),
    },
  ];
}

/** An image that failed here is not tried again by itself; the condition about upstream does not tell of it. */
const notesOfFailedImages = ({ heldImages = [] }: NonNullable<NodeRolloutPolicy['status']>): readonly PolicyRemark[] =>
  heldImages
    .filter(({ reason }) => reason === 'failedBefore')
    .map(({ image, source, variant, because }) => ({
      kind: 'FailedBefore',
      urgency: 'goesOn',
      message: `${image} (${source}, ${variant}): ${because}`,
    }));
