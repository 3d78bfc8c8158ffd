import { type KubernetesObject, listConvertedCrds, listKarpenterCrds, ownCrds } from '@nodewright/apis';
import { listAccessObjects } from './access/access-objects.ts';
import { listConversionAccess } from './access/conversion-access.ts';
import { isPageServed, listPageAccess } from './access/page-access.ts';
import { listPeopleAccess } from './access/people-access.ts';
import { namespaceObject, serviceAccountObject } from './objects/accounts.ts';
import { conversionServiceObject, conversionServiceOf, isConversionServed } from './objects/conversion-webhook.ts';
import { deploymentObject } from './objects/deployment.ts';
import {
  disruptionBudgetObject,
  metricsServiceObject,
  podMonitorObject,
  serviceMonitorObject,
} from './objects/surroundings.ts';
import type { InstallValues } from './values/install-values.ts';
import type { SettingCatalogue } from './values/setting-values.ts';

/**
 * Everything that an installation puts into a cluster, in the order in which it can be applied: kinds before what uses
 * them, rights before the pods that need them. Monitors come last, because not every cluster knows their kinds.
 */
export function listInstallManifests(values: InstallValues, catalogue: SettingCatalogue): readonly KubernetesObject[] {
  const { createNamespace, createServiceAccount, definitions, serviceMonitor, podMonitor } = values;
  return [
    ...(definitions ? listDefinitions(values, catalogue) : []),
    ...(createNamespace && !isSystemNamespace(values.namespace) ? [namespaceObject(values)] : []),
    ...(createServiceAccount ? [serviceAccountObject(values)] : []),
    ...listAccessObjects(values, catalogue),
    ...listPeopleAccess(values),
    ...(isPageServed(values) ? listPageAccess(values) : []),
    ...(isConversionServed(values) ? listConversionAccess(values, catalogue) : []),
    disruptionBudgetObject(values),
    metricsServiceObject(values, catalogue),
    ...(isConversionServed(values) ? [conversionServiceObject(values, catalogue)] : []),
    deploymentObject(values, catalogue),
    ...(serviceMonitor.create ? [serviceMonitorObject(values)] : []),
    ...(podMonitor.create ? [podMonitorObject(values)] : []),
  ];
}

const listDefinitions = (values: InstallValues, catalogue: SettingCatalogue): readonly KubernetesObject[] => [
  ...(isConversionServed(values) ? listConvertedCrds(conversionServiceOf(values, catalogue)) : listKarpenterCrds()),
  ...ownCrds(),
];

/** These come with the cluster. Whoever deletes what was printed must not ask for their end. */
const isSystemNamespace = (namespace: string): boolean => namespace === 'default' || namespace.startsWith('kube-');
