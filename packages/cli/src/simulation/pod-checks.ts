import {
  checkLabelValue,
  checkList,
  checkMap,
  checkNumber,
  checkObject,
  checkOneOf,
  checkOptional,
  checkQuantity,
  checkText,
  wholeFrom,
} from './field-checks.ts';

/** Metadata as far as scheduling reads it. */
export const checkMetadata = checkObject({ name: checkText, labels: checkOptional(checkMap(checkLabelValue)) });

/** A requirement on a node label: of a pod, or with `minValues` of a NodePool. */
export const nodeRequirement = checkObject({
  key: checkText,
  operator: checkOneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'),
  values: checkOptional(checkList(checkLabelValue)),
  minValues: checkOptional(wholeFrom(0)),
});

const container = checkObject({
  resources: checkOptional(
    checkObject({ requests: checkOptional(checkMap(checkQuantity)), limits: checkOptional(checkMap(checkQuantity)) }),
  ),
  ports: checkOptional(
    checkList(
      checkObject({
        hostPort: checkOptional(checkNumber),
        hostIP: checkOptional(checkLabelValue),
        protocol: checkOptional(checkLabelValue),
      }),
    ),
  ),
});

const toleration = checkObject({
  key: checkOptional(checkLabelValue),
  operator: checkOptional(checkOneOf('', 'Exists', 'Equal', 'Gt', 'Lt')),
  value: checkOptional(checkLabelValue),
  effect: checkOptional(checkLabelValue),
});

/** A selector that no API server would take selects nothing, so its operators are left alone. */
const labelSelector = checkObject({
  matchLabels: checkOptional(checkMap(checkLabelValue)),
  matchExpressions: checkOptional(
    checkList(checkObject({ key: checkText, operator: checkText, values: checkOptional(checkList(checkLabelValue)) })),
  ),
});

const nodeTerm = checkObject({ matchExpressions: checkOptional(checkList(nodeRequirement)) });

const podTerm = checkObject({
  topologyKey: checkText,
  labelSelector: checkOptional(labelSelector),
  namespaces: checkOptional(checkList(checkText)),
  namespaceSelector: checkOptional(labelSelector),
  matchLabelKeys: checkOptional(checkList(checkText)),
  mismatchLabelKeys: checkOptional(checkList(checkText)),
});

const podRules = checkOptional(
  checkObject({
    requiredDuringSchedulingIgnoredDuringExecution: checkOptional(checkList(podTerm)),
    preferredDuringSchedulingIgnoredDuringExecution: checkOptional(
      checkList(checkObject({ weight: checkNumber, podAffinityTerm: podTerm })),
    ),
  }),
);

const affinity = checkObject({
  nodeAffinity: checkOptional(
    checkObject({
      requiredDuringSchedulingIgnoredDuringExecution: checkOptional(
        checkObject({ nodeSelectorTerms: checkOptional(checkList(nodeTerm)) }),
      ),
      preferredDuringSchedulingIgnoredDuringExecution: checkOptional(
        checkList(checkObject({ weight: checkNumber, preference: nodeTerm })),
      ),
    }),
  ),
  podAffinity: podRules,
  podAntiAffinity: podRules,
});

const spread = checkObject({
  topologyKey: checkText,
  maxSkew: wholeFrom(1),
  whenUnsatisfiable: checkOneOf('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector: checkOptional(labelSelector),
  minDomains: checkOptional(wholeFrom(1)),
  matchLabelKeys: checkOptional(checkList(checkText)),
  nodeAffinityPolicy: checkOptional(checkOneOf('Honor', 'Ignore')),
  nodeTaintsPolicy: checkOptional(checkOneOf('Honor', 'Ignore')),
});

/** A pod as far as scheduling reads it. */
export const checkPod = checkObject({
  metadata: checkMetadata,
  spec: checkObject({
    containers: checkList(container),
    initContainers: checkOptional(checkList(container)),
    overhead: checkOptional(checkMap(checkQuantity)),
    nodeSelector: checkOptional(checkMap(checkLabelValue)),
    tolerations: checkOptional(checkList(toleration)),
    affinity: checkOptional(affinity),
    topologySpreadConstraints: checkOptional(checkList(spread)),
  }),
});
