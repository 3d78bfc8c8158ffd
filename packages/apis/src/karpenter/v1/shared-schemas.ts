import {
  choice,
  integer,
  list,
  mapOf,
  object,
  optional,
  quantity,
  rule,
  type Schema,
  text,
  timestamp,
} from '../../schema/build.ts';
import type { ValidationRule } from '../../schema/structural.ts';
import type { Condition } from '../../kubernetes/meta.ts';
import { awsLabels } from '../labels.ts';
import { patterns } from './patterns.ts';

const allowedAwsLabels = Object.values(awsLabels);
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
const domain = (key: string): string => `${key}.find('^[^/]*')`;

/** Rules about one label key; the karpenter.sh and karpenter.k8s.aws domains are tested as suffixes of text. */
const keyConditions = [
  {
    message: 'the domain karpenter.sh is reserved',
    of: (key: string) =>
      `${key} in ['karpenter.sh/capacity-type', 'karpenter.sh/nodepool'] || !${domain(key)}.endsWith('karpenter.sh')`,
  },
  {
    message: 'the label kubernetes.io/hostname cannot be asked for',
    of: (key: string) => `${key} != 'kubernetes.io/hostname'`,
  },
  {
    message: 'the domain karpenter.k8s.aws is reserved, but for the labels it defines',
    of: (key: string) => `${key} in [${quoted(allowedAwsLabels)}] || !${domain(key)}.endsWith('karpenter.k8s.aws')`,
  },
] as const;

const nodePoolKey = {
  message: 'the label karpenter.sh/nodepool is set by the pool itself',
  of: (key: string) => `${key} != 'karpenter.sh/nodepool'`,
} as const;

export type KeyUse = 'inNodePool' | 'inNodeClaim';

const conditionsFor = (use: KeyUse) => (use === 'inNodePool' ? [...keyConditions, nodePoolKey] : keyConditions);

/** Rules for a map whose keys are labels. */
export const labelMapRules = (use: KeyUse): readonly ValidationRule[] =>
  conditionsFor(use).map(({ message, of }) => rule(message, `self.all(key, ${of('key')})`));

const keyRules = (use: KeyUse): readonly ValidationRule[] =>
  conditionsFor(use).map(({ message, of }) => rule(message, of('self')));

const requirementOperators = ['Gte', 'Lte', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

export const requirementsSchema = (use: KeyUse) =>
  list(
    object({
      key: text({
        description: 'The label key that the requirement is about.',
        maxLength: 316,
        pattern: patterns.qualifiedName,
        rules: keyRules(use),
      }),
      minValues: optional(
        integer('plain', {
          description: 'How many different values of the key the instance types to choose from must have at least.',
          minimum: 1,
          maximum: 50,
        }),
      ),
      operator: choice(requirementOperators, { description: 'How the value of the label compares with the values.' }),
      values: optional(list(text(), { description: 'What the label is compared with.', listType: 'atomic' })),
    }),
    {
      description: 'What the labels of a node have to be; all of them hold.',
      maxItems: 100,
      rules: [
        rule('operator In needs values', "self.all(r, r.operator != 'In' || r.values.size() > 0)"),
        rule(
          'operators Gt, Lt, Gte and Lte need exactly one value, an integer of at least 0',
          "self.all(r, !(r.operator in ['Gt', 'Lt', 'Gte', 'Lte']) || (r.values.size() == 1 && int(r.values[0]) >= 0))",
        ),
        rule(
          'operator In needs at least as many values as minValues says',
          "self.all(r, !(r.operator == 'In' && has(r.minValues)) || r.values.size() >= r.minValues)",
        ),
      ],
    },
  );

export const taintsSchema = (description: string) =>
  list(
    object({
      effect: choice(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
        description: 'What happens to pods that do not tolerate the taint.',
      }),
      key: text({ description: 'The key of the taint.', minLength: 1, pattern: patterns.qualifiedName }),
      timeAdded: optional(timestamp({ description: 'When the taint was added.' })),
      value: optional(text({ description: 'The value of the taint.', pattern: patterns.qualifiedName })),
    }),
    { description },
  );

export const nodeClassRefSchema = (rules: readonly ValidationRule[] = []) =>
  object(
    {
      group: text({
        description: 'API group of the node class, such as karpenter.k8s.aws.',
        pattern: patterns.withoutSlash,
        rules: [rule('group may not be empty', "self != ''")],
      }),
      kind: text({
        description: 'Kind of the node class, such as EC2NodeClass.',
        rules: [rule('kind may not be empty', "self != ''")],
      }),
      name: text({ description: 'Name of the node class.', rules: [rule('name may not be empty', "self != ''")] }),
    },
    { description: 'The node class that says how machines are made.', ...(rules.length === 0 ? {} : { rules }) },
  );

export const resourceMap = (description: string) => mapOf(quantity(), { description });

export const terminationGracePeriodSchema = text({
  description: 'How long a node may take to drain before its pods are deleted whatever protects them.',
  pattern: patterns.duration,
});

export const expireAfterSchema = text({
  description: 'How old a node may become, or Never.',
  default: '720h',
  pattern: patterns.durationOrNever,
});

const conditionStatus = choice(['True', 'False', 'Unknown']);
const observedGeneration = integer('int64', { minimum: 0 });
const conditionType = text({ maxLength: 316, pattern: patterns.conditionType });

/** Conditions as `metav1.Condition` has them: reason and message have to be there. */
export const strictConditions = (options: { readonly mapKeys?: readonly string[] }): Schema<readonly Condition[]> =>
  list(
    object({
      lastTransitionTime: timestamp(),
      message: text({ maxLength: 32_768 }),
      observedGeneration: optional(observedGeneration),
      reason: text({ minLength: 1, maxLength: 1024, pattern: patterns.conditionReason }),
      status: conditionStatus,
      type: conditionType,
    }),
    { description: 'What is known about the state of the object.', ...options },
  );

/** Conditions of a NodeClaim: reason and message may be missing. */
export const relaxedConditions: Schema<readonly Condition[]> = list(
  object({
    lastTransitionTime: timestamp(),
    message: optional(text({ maxLength: 32_768 })),
    observedGeneration: optional(observedGeneration),
    reason: optional(text({ maxLength: 1024, pattern: patterns.conditionReasonOrEmpty })),
    status: conditionStatus,
    type: conditionType,
  }),
  { description: 'What is known about the state of the claim.', mapKeys: ['type'] },
);
