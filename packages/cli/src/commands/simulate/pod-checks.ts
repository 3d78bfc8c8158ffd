import {
  checkLabelValue,
  checkList,
  checkMap,
  checkNumberField,
  checkObject,
  checkOneOf,
  checkOptional,
  checkQuantity,
  checkTextField,
  wholeFrom,
} from './field-checks.ts';

/** Metadata as far as scheduling reads it. */
export const checkPodMetadata = checkObject({ name: checkTextField, labels: checkOptional(checkMap(checkLabelValue)) });

/** A requirement on a node label: of a pod, or with `minValues` of a NodePool. */
export const nodeRequirement = checkObject({
  key: checkTextField,
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
        hostPort: checkOptional(checkNumberField),
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
    checkList(
      checkObject({ key: checkTextField, operator: checkTextField, values: checkOptional(checkList(checkLabelValue)) }),
    ),
  ),
});

const nodeTerm = checkObject({ matchExpressions: checkOptional(checkList(nodeRequirement)) });

const podTerm = checkObject({
  topologyKey: checkTextField,
  labelSelector: checkOptional(labelSelector),
  namespaces: checkOptional(checkList(checkTextField)),
  namespaceSelector: checkOptional(labelSelector),
  matchLabelKeys: checkOptional(checkList(checkTextField)),
  mismatchLabelKeys: checkOptional(checkList(checkTextField)),
});

const podRules = checkOptional(
  checkObject({
    requiredDuringSchedulingIgnoredDuringExecution: checkOptional(checkList(podTerm)),
    preferredDuringSchedulingIgnoredDuringExecution: checkOptional(
      checkList(checkObject({ weight: checkNumberField, podAffinityTerm: podTerm })),
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
        checkList(checkObject({ weight: checkNumberField, preference: nodeTerm })),
      ),
    }),
  ),
  podAffinity: podRules,
  podAntiAffinity: podRules,
});

const spread = checkObject({
  topologyKey: checkTextField,
  maxSkew: wholeFrom(1),
  whenUnsatisfiable: checkOneOf('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector: checkOptional(labelSelector),
  minDomains: checkOptional(wholeFrom(1)),
  matchLabelKeys: checkOptional(checkList(checkTextField)),
  nodeAffinityPolicy: checkOptional(checkOneOf('Honor', 'Ignore')),
  nodeTaintsPolicy: checkOptional(checkOneOf('Honor', 'Ignore')),
});

/** A pod as far as scheduling reads it. */
export const checkPod = checkObject({
  metadata: checkPodMetadata,
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
