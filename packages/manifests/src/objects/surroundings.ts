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

/** Tells the Prometheus operator to read them by the Service. */
export function serviceMonitorObject(values: InstallValues): InstallObject {
  const { interval } = values.serviceMonitor;
  return monitorObject(values, values.serviceMonitor, 'ServiceMonitor', {
    endpoints: [{ port: 'metrics', path: '/metrics', interval }],
  });
}

/** Tells the Prometheus operator to read them at each pod. */
export function podMonitorObject(values: InstallValues): InstallObject {
  const { interval } = values.podMonitor;
  return monitorObject(values, values.podMonitor, 'PodMonitor', {
    podMetricsEndpoints: [{ port: 'metrics', path: '/metrics', interval }],
  });
}

function monitorObject(
  values: InstallValues,
  { labels }: InstallValues['podMonitor'],
  kind: 'ServiceMonitor' | 'PodMonitor',
  endpoints: Readonly<Record<string, unknown>>,
): InstallObject {
  const metadata = namespacedMetadata(values);
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind,
    metadata: { ...metadata, labels: { ...recordOfTexts(labels), ...metadata.labels } },
    spec: {
      selector: { matchLabels: controllerLabels(values) },
      namespaceSelector: { matchNames: [values.namespace] },
      ...endpoints,
    },
  };
}
