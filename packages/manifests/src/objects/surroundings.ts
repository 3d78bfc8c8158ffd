import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import { type InstallObject, namespacedMetadata, controllerLabels, recordOfTexts } from './install-object.ts';
import { controllerPorts } from './ports.ts';

/** One replica at a time may be evicted, so that a drain never takes the leader and its successor together. */
export const disruptionBudgetObject = (values: InstallValues): InstallObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: namespacedMetadata(values),
  spec: { maxUnavailable: 1, selector: { matchLabels: controllerLabels(values) } },
});

/** Where metrics are read. */
export const metricsServiceObject = (values: InstallValues, catalogue: SettingCatalogue): InstallObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: namespacedMetadata(values),
  spec: {
    type: 'ClusterIP',
    selector: controllerLabels(values),
    ports: [
      { name: 'metrics', port: controllerPorts(values, catalogue).metrics, targetPort: 'metrics', protocol: 'TCP' },
    ],
  },
});

/** Tells the Prometheus operator to read them. */
export function serviceMonitorObject(values: InstallValues): InstallObject {
  const metadata = namespacedMetadata(values);
  const { interval, labels } = values.serviceMonitor;
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { ...metadata, labels: { ...recordOfTexts(labels), ...metadata.labels } },
    spec: {
      selector: { matchLabels: controllerLabels(values) },
      namespaceSelector: { matchNames: [values.namespace] },
      endpoints: [{ port: 'metrics', path: '/metrics', interval }],
    },
  };
}
