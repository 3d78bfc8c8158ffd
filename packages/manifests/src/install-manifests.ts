import { type KubernetesObject, listKarpenterCrds, ownCrds } from '@nodewright/apis';
import { listAccessObjects } from './access/access-objects.ts';
import { namespaceObject, serviceAccountObject } from './objects/accounts.ts';
import { deploymentObject } from './objects/deployment.ts';
import { disruptionBudgetObject, metricsServiceObject, serviceMonitorObject } from './objects/surroundings.ts';
import type { InstallValues } from './values/install-values.ts';
import type { SettingCatalogue } from './values/setting-values.ts';

/**
 * Everything that an installation puts into a cluster, in the order in which it can be applied: kinds before what uses
 * them, rights before the pods that need them. The ServiceMonitor comes last, because not every cluster knows its kind.
 */
export function listInstallManifests(values: InstallValues, catalogue: SettingCatalogue): readonly KubernetesObject[] {
  const { createNamespace, createServiceAccount, definitions, serviceMonitor } = values;
  return [
    ...(definitions ? [...listKarpenterCrds(), ...ownCrds()] : []),
    ...(createNamespace && !isSystemNamespace(values.namespace) ? [namespaceObject(values)] : []),
    ...(createServiceAccount ? [serviceAccountObject(values)] : []),
    ...listAccessObjects(values, catalogue),
    disruptionBudgetObject(values),
    metricsServiceObject(values, catalogue),
    deploymentObject(values, catalogue),
    ...(serviceMonitor.create ? [serviceMonitorObject(values)] : []),
  ];
}

/** These come with the cluster. Whoever deletes what was printed must not ask for their end. */
const isSystemNamespace = (namespace: string): boolean => namespace === 'default' || namespace.startsWith('kube-');
