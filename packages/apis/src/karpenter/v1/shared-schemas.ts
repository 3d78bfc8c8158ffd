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
import { fieldPatterns } from './patterns.ts';

export const taintsSchema = (description: string) =>
  list(
    object({
      effect: choice(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
        description: 'What happens to pods that do not tolerate the taint.',
      }),
      key: text({ description: 'The key of the taint.', minLength: 1, pattern: fieldPatterns.qualifiedName }),
      timeAdded: optional(timestamp({ description: 'When the taint was added.' })),
      value: optional(text({ description: 'The value of the taint.', pattern: fieldPatterns.qualifiedName })),
    }),
    { description },
  );

export const nodeClassRefSchema = (rules: readonly ValidationRule[] = []) =>
  object(
    {
      group: text({
        description: 'API group of the node class, such as karpenter.k8s.aws.',
        pattern: fieldPatterns.withoutSlash,
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
  pattern: fieldPatterns.duration,
});

export const expireAfterSchema = text({
  description: 'How old a node may become, or Never.',
  default: '720h',
  pattern: fieldPatterns.durationOrNever,
});

const conditionStatus = choice(['True', 'False', 'Unknown']);
const observedGeneration = integer('int64', { minimum: 0 });
const conditionType = text({ maxLength: 316, pattern: fieldPatterns.conditionType });

/** Conditions as `metav1.Condition` has them: reason and message have to be there. */
export const strictConditions = (options: { readonly mapKeys?: readonly string[] }): Schema<readonly Condition[]> =>
  list(
    object({
      lastTransitionTime: timestamp(),
      message: text({ maxLength: 32_768 }),
      observedGeneration: optional(observedGeneration),
      reason: text({ minLength: 1, maxLength: 1024, pattern: fieldPatterns.conditionReason }),
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
    reason: optional(text({ maxLength: 1024, pattern: fieldPatterns.conditionReasonOrEmpty })),
    status: conditionStatus,
    type: conditionType,
  }),
  { description: 'What is known about the state of the claim.', mapKeys: ['type'] },
);
