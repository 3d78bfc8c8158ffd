import { readOwn } from '@nodewright/apis';
import { checkFinalizerDomains, checkMetadata } from '../schema/metadata/check-metadata.ts';
import {
  validateDnsLabel,
  validateLetterLabel,
  validatePathSegment,
  validateSubdomain,
  type NameRule,
} from '../schema/metadata/names.ts';
import type { Cause } from '../schema/cause.ts';
import { type JsonObject, memberOf } from '../schema/json.ts';
import type { GroupVersionKind } from '../schema/definitions.ts';
import {
  bindingCauses,
  leaseCauses,
  nodeCauses,
  priorityClassCauses,
  storageClassCauses,
} from './validation/cluster.ts';
import { configMapCauses, secretCauses } from './validation/data.ts';
import { definitionCauses } from './validation/custom-resource-definition.ts';
import { eventCauses, newEventCauses } from './validation/event.ts';
import { podSpecCauses, podUpdateCauses } from './validation/pod.ts';
import { disruptionBudgetCauses } from './validation/policy.ts';
import { serviceCauses } from './validation/service.ts';
import { jobCauses, statefulSetCauses, workloadCauses } from './validation/workloads.ts';

export type BuiltinRequest = {
  readonly type: GroupVersionKind;
  /** After defaulting. */
  readonly object: JsonObject;
  /** The stored object of an update. */
  readonly old?: JsonObject;
  readonly subresource?: string;
};

/** Validates an object of a built-in kind by the rules that a real server has in code. A status is not validated. */
export function validateBuiltin({ type, object, old, subresource = '' }: BuiltinRequest): Cause[] {
  if (subresource === 'status') return [];
  // A pod's resources and ephemeral containers change through their own subresources.
  const isPodSubresource = subresource === 'resize' || subresource === 'ephemeralcontainers';
  const key = `${type.group}/${type.kind}`;
  const metadata = checkMetadata({
    object,
    ...(old && { old }),
    nameRule: readOwn(nameRules, key) ?? validateSubdomain,
  });
  return [
    ...metadata,
    ...checkFinalizerDomains(object),
    ...(isPodSubresource ? [] : (readOwn(kindChecks, key)?.(object, old) ?? [])),
  ];
}

const rbac = 'rbac.authorization.k8s.io';

const nameRules: Readonly<Record<string, NameRule>> = {
  '/Namespace': validateDnsLabel,
  '/Event': () => [],
  'events.k8s.io/Event': () => [],
  '/Service': validateLetterLabel,
  [`${rbac}/Role`]: validatePathSegment,
  [`${rbac}/ClusterRole`]: validatePathSegment,
  [`${rbac}/RoleBinding`]: validatePathSegment,
  [`${rbac}/ClusterRoleBinding`]: validatePathSegment,
};

type KindCheck = (object: JsonObject, old: JsonObject | undefined) => Cause[];

const workload: KindCheck = (object, old) => workloadCauses({ object, ...(old && { old }) });

const kindChecks: Readonly<Record<string, KindCheck>> = {
  '/Pod': (object, old) =>
    old === undefined ? podSpecCauses(memberOf(object, 'spec'), 'spec') : podUpdateCauses(object, old),
  '/Node': nodeCauses,
  '/Service': serviceCauses,
  '/ConfigMap': configMapCauses,
  '/Secret': secretCauses,
  '/Event': (object) => eventCauses(object),
  'events.k8s.io/Event': (object) => newEventCauses(object),
  'apps/Deployment': workload,
  'apps/ReplicaSet': workload,
  'apps/StatefulSet': (object, old) => statefulSetCauses({ object, ...(old && { old }) }),
  'apps/DaemonSet': workload,
  'batch/Job': (object, old) => jobCauses({ object, ...(old && { old }) }),
  'policy/PodDisruptionBudget': (object) => disruptionBudgetCauses(object),
  'apiextensions.k8s.io/CustomResourceDefinition': definitionCauses,
  'coordination.k8s.io/Lease': (object) => leaseCauses(object),
  'scheduling.k8s.io/PriorityClass': priorityClassCauses,
  'storage.k8s.io/StorageClass': storageClassCauses,
  [`${rbac}/RoleBinding`]: bindingCauses,
  [`${rbac}/ClusterRoleBinding`]: bindingCauses,
};
