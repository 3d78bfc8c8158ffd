import { byTextOf, type Condition, type Instant, type NodeRolloutPolicy } from '@nodewright/apis';
import { lateNodesAdvice } from './ages/late-nodes.ts';
import { calendarComplaint } from './calendar/windows.ts';
import { type ConditionReading, stampConditions } from './conditions.ts';
import type { GovernanceRemark } from './governance.ts';
import type { RolloutSettings } from './settings.ts';
import type { GovernedObject } from './snapshot.ts';

export type PolicyReading = {
  readonly policy: NodeRolloutPolicy;
  readonly settings: RolloutSettings;
  /** How many NodePools and NodeGroups it governs. */
  readonly governed: number;
  readonly remarks: readonly GovernanceRemark[];
  /** The objects that it governs; absent before they were looked at, and what was stored of them then stays. */
  readonly objects?: readonly GovernedObject[];
  /** Which limit on vCPUs keeps all nodes of an object from being replaced. */
  readonly fullQuotaOf?: (object: string) => string | undefined;
  /** Nodes that go by force before they can be let go, in words. */
  readonly lateNodes?: string;
  readonly now: Instant;
};

/**
 * The conditions of a policy, as `kubectl wait`, Argo CD and Flux read them: Ready while the policy governs, Stalled when
 * it cannot be read and keeps everything from beginning.
 */
export function policyConditions({
  policy,
  settings,
  governed,
  remarks,
  objects,
  fullQuotaOf = () => undefined,
  lateNodes = '',
  now,
}: PolicyReading): readonly Condition[] {
  const complaint = calendarComplaint(settings);
  const own = remarks.filter((remark) => remark.policy === policy.metadata.name);
  const readings: readonly ConditionReading[] = [
    complaint === undefined
      ? { type: 'Ready', status: 'True', reason: 'Governing', message: `governs ${governed} NodePools and NodeGroups` }
      : { type: 'Ready', status: 'False', reason: 'UnreadableCalendar', message: complaint },
    complaint === undefined
      ? { type: 'Stalled', status: 'False', reason: 'Governing', message: '' }
      : { type: 'Stalled', status: 'True', reason: 'UnreadableCalendar', message: complaint },
    remarkCondition('NodeClassShared', own),
    remarkCondition('EqualWeight', own),
    ...(objects === undefined ? [] : [backOffCondition(objects, { fullQuotaOf, now })]),
    ...(objects === undefined || settings.maxAge?.softMs === undefined ? [] : [ageCondition(lateNodes)]),
  ];
  const { status, metadata } = policy;
  const judged = stampConditions(readings, status?.conditions, { generation: metadata.generation, now });
  return objects === undefined ? withUnjudged(judged, status?.conditions ?? []) : judged;
}

const withUnjudged = (judged: readonly Condition[], stored: readonly Condition[]): readonly Condition[] =>
  [...judged, ...stored.filter(({ type }) => judged.every((own) => own.type !== type))].toSorted(
    byTextOf(({ type }) => type),
  );

function remarkCondition(kind: GovernanceRemark['kind'], remarks: readonly GovernanceRemark[]): ConditionReading {
  const messages = remarks.filter((remark) => remark.kind === kind).map(printRemark);
  return messages.length === 0
    ? { type: kind, status: 'False', reason: 'Governing', message: '' }
    : { type: kind, status: 'True', reason: kind, message: messages.join('; ') };
}

/** Causes that are not the image's never halt a rollout: objects that they keep from moving are listed here. */
function backOffCondition(
  objects: readonly GovernedObject[],
  { fullQuotaOf, now }: Required<Pick<PolicyReading, 'fullQuotaOf' | 'now'>>,
): ConditionReading {
  const causes = objects.flatMap(({ id, source, backOff, freeAddresses }) => [
    ...(backOff !== undefined && backOff.until > now ? [`${id}: ${backOff.because}`] : []),
    ...(freeAddresses === 0 ? [`${id}: subnets of ${source} have no free address`] : []),
    ...[fullQuotaOf(id)].flatMap((full) => (full === undefined ? [] : [`${id}: ${full}`])),
  ]);
  return causes.length === 0
    ? { type: 'BackingOff', status: 'False', reason: 'Governing', message: '' }
    : { type: 'BackingOff', status: 'True', reason: 'CannotReplace', message: causes.join('; ') };
}

/** Nodes that `maxAge` cannot let go one by one before they end. */
const ageCondition = (lateNodes: string): ConditionReading =>
  lateNodes === ''
    ? { type: 'MaxAgeTooTight', status: 'False', reason: 'Governing', message: '' }
    : { type: 'MaxAgeTooTight', status: 'True', reason: 'PaceTooSlow', message: `${lateNodes}: ${lateNodesAdvice}` };

function printRemark(remark: GovernanceRemark): string {
  switch (remark.kind) {
    case 'NodeClassShared':
      return `EC2NodeClass ${remark.nodeClass} is used by NodePools ${remark.pools.join(', ')}, which do not all fall to this policy: none of them is governed`;
    case 'EqualWeight':
      return `${remark.object} is selected by NodeRolloutPolicy ${remark.other} with the same weight: the first by name governs it`;
  }
}
