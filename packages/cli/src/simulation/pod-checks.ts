import {
  labelValue,
  listOf,
  mapOf,
  number,
  objectOf,
  oneOf,
  optional,
  quantity,
  text,
  wholeFrom,
} from './field-checks.ts';

/** Metadata as far as scheduling reads it. */
export const metadata = objectOf({ name: text, labels: optional(mapOf(labelValue)) });

/** A requirement on a node label: of a pod, or with `minValues` of a NodePool. */
export const nodeRequirement = objectOf({
  key: text,
  operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'),
  values: optional(listOf(labelValue)),
  minValues: optional(wholeFrom(0)),
});

const container = objectOf({
  resources: optional(objectOf({ requests: optional(mapOf(quantity)), limits: optional(mapOf(quantity)) })),
  ports: optional(
    listOf(objectOf({ hostPort: optional(number), hostIP: optional(labelValue), protocol: optional(labelValue) })),
  ),
});

const toleration = objectOf({
  key: optional(labelValue),
  operator: optional(oneOf('', 'Exists', 'Equal', 'Gt', 'Lt')),
  value: optional(labelValue),
  effect: optional(labelValue),
});

/** A selector that no API server would take selects nothing, so its operators are left alone. */
const labelSelector = objectOf({
  matchLabels: optional(mapOf(labelValue)),
  matchExpressions: optional(listOf(objectOf({ key: text, operator: text, values: optional(listOf(labelValue)) }))),
});

const nodeTerm = objectOf({ matchExpressions: optional(listOf(nodeRequirement)) });

const podTerm = objectOf({
  topologyKey: text,
  labelSelector: optional(labelSelector),
  namespaces: optional(listOf(text)),
  namespaceSelector: optional(labelSelector),
  matchLabelKeys: optional(listOf(text)),
  mismatchLabelKeys: optional(listOf(text)),
});

const podRules = optional(
  objectOf({
    requiredDuringSchedulingIgnoredDuringExecution: optional(listOf(podTerm)),
    preferredDuringSchedulingIgnoredDuringExecution: optional(
      listOf(objectOf({ weight: number, podAffinityTerm: podTerm })),
    ),
  }),
);

const affinity = objectOf({
  nodeAffinity: optional(
    objectOf({
      requiredDuringSchedulingIgnoredDuringExecution: optional(
        objectOf({ nodeSelectorTerms: optional(listOf(nodeTerm)) }),
      ),
      preferredDuringSchedulingIgnoredDuringExecution: optional(
        listOf(objectOf({ weight: number, preference: nodeTerm })),
      ),
    }),
  ),
  podAffinity: podRules,
  podAntiAffinity: podRules,
});

const spread = objectOf({
  topologyKey: text,
  maxSkew: wholeFrom(1),
  whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector: optional(labelSelector),
  minDomains: optional(wholeFrom(1)),
  matchLabelKeys: optional(listOf(text)),
  nodeAffinityPolicy: optional(oneOf('Honor', 'Ignore')),
  nodeTaintsPolicy: optional(oneOf('Honor', 'Ignore')),
});

/** A pod as far as scheduling reads it. */
export const pod = objectOf({
  metadata,
  spec: objectOf({
    containers: listOf(container),
    initContainers: optional(listOf(container)),
    overhead: optional(mapOf(quantity)),
    nodeSelector: optional(mapOf(labelValue)),
    tolerations: optional(listOf(toleration)),
    affinity: optional(affinity),
    topologySpreadConstraints: optional(listOf(spread)),
  }),
});
