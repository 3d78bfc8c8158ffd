import { rule } from '../../schema/build.ts';
import type { ValidationRule } from '../../schema/structural.ts';
import { awsLabels } from '../labels.ts';

/** Where a label key stands: each place admits other ones. */
export type KeyUse = 'inNodePool' | 'inNodeClaim' | 'inNodeOverlay';

/** Rules for a map whose keys are labels. */
export const labelMapRules = (use: KeyUse): readonly ValidationRule[] =>
  labelKeyConditions[use].map(({ message, of }) =>
    rule(message, `self.all(key, ${of('key')})`, `self.filter(key, !(${of('key')}))[0]`),
  );

/** Rules for one label key. */
export const labelKeyRules = (use: KeyUse): readonly ValidationRule[] =>
  labelKeyConditions[use].map(({ message, of }) => rule(message, of('self')));

const quoteWords = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** Of a key; whole domains are tested as suffixes of its text. */
const domain = (key: string): string => `${key}.find('^[^/]*')`;

const noReservedDomain = {
  message: 'the domain karpenter.sh is reserved',
  of: (key: string) =>
    `${key} in ['karpenter.sh/capacity-type', 'karpenter.sh/nodepool'] || !${domain(key)}.endsWith('karpenter.sh')`,
} as const;

const noHostname = {
  message: 'the label kubernetes.io/hostname cannot be asked for',
  of: (key: string) => `${key} != 'kubernetes.io/hostname'`,
} as const;

const awsLabelsOnly = (allowed: readonly string[]) => ({
  message: 'the domain karpenter.k8s.aws is reserved, but for the labels it defines',
  of: (key: string) => `${key} in [${quoteWords(allowed)}] || !${domain(key)}.endsWith('karpenter.k8s.aws')`,
});

const noNodePool = {
  message: 'the label karpenter.sh/nodepool is set by the pool itself',
  of: (key: string) => `${key} != 'karpenter.sh/nodepool'`,
} as const;

const allAwsLabels = Object.values(awsLabels);

/** Labels that tell how a node was bought, rather than what its instance type is. */
const purchaseLabels: readonly string[] = [
  awsLabels.instanceTenancy,
  awsLabels.capacityReservationId,
  awsLabels.capacityReservationType,
  awsLabels.capacityReservationInterruptible,
  awsLabels.placementGroupId,
  awsLabels.placementGroupPartition,
];

const labelKeyConditions = {
  inNodePool: [noReservedDomain, noHostname, awsLabelsOnly(allAwsLabels), noNodePool],
  inNodeClaim: [noReservedDomain, noHostname, awsLabelsOnly(allAwsLabels)],
  inNodeOverlay: [
    noReservedDomain,
    noHostname,
    awsLabelsOnly(allAwsLabels.filter((label) => !purchaseLabels.includes(label))),
  ],
} as const;
