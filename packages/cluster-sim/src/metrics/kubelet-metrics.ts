import {
  countCpuSeconds,
  listMeasuredContainers,
  type MeasuredContainer,
  nodeAgeSeconds,
  type ObservedNode,
  readNodeUse,
  workingSetBytes,
} from './measured-node.ts';
import { type SampleLabels, type Sample, writeMetric } from './metric-text.ts';

const labelsOfContainer = ({ pod, name }: MeasuredContainer): SampleLabels => ({
  container: name,
  namespace: pod.metadata.namespace ?? '',
  pod: pod.metadata.name,
});

/** What the kubelet counts of itself. */
export function kubeletMetrics(observed: ObservedNode): string {
  const running = observed.pods.filter(({ status }) => status?.phase === 'Running').length;
  const gauge = (name: string, help: string, value: number, labels: SampleLabels = {}): string =>
    writeMetric({ name, type: 'gauge', help }, [{ labels, value }]);
  return [
    gauge('kubelet_node_name', 'The name of the node; the value is always 1.', 1, {
      node: observed.node.metadata.name,
    }),
    gauge('kubelet_running_containers', 'Containers by their state.', listMeasuredContainers(observed).length, {
      container_state: 'running',
    }),
    gauge('kubelet_running_pods', 'Pods that run.', running),
  ].join('');
}

/** What the metrics server reads. */
export function resourceMetrics(observed: ObservedNode): string {
  const containers = listMeasuredContainers(observed);
  const use = readNodeUse(observed);
  const ofContainers = (value: (container: MeasuredContainer) => number): readonly Sample[] =>
    containers.map((container) => ({ labels: labelsOfContainer(container), value: value(container) }));
  return [
    writeMetric(
      { name: 'container_cpu_usage_seconds_total', type: 'counter', help: 'CPU time of the container in seconds.' },
      ofContainers((container) => countCpuSeconds(container.use, container.ranSeconds)),
    ),
    writeMetric(
      { name: 'container_memory_working_set_bytes', type: 'gauge', help: 'Working set of the container in bytes.' },
      ofContainers(({ use }) => workingSetBytes(use)),
    ),
    writeMetric({ name: 'node_cpu_usage_seconds_total', type: 'counter', help: 'CPU time of the node in seconds.' }, [
      { labels: {}, value: countCpuSeconds(use, nodeAgeSeconds(observed)) },
    ]),
    writeMetric({ name: 'node_memory_working_set_bytes', type: 'gauge', help: 'Working set of the node in bytes.' }, [
      { labels: {}, value: workingSetBytes(use) },
    ]),
  ].join('');
}

/** What cAdvisor tells of the containers. */
export function containerMetrics(observed: ObservedNode): string {
  const containers = listMeasuredContainers(observed);
  const labelsOf = (container: MeasuredContainer): SampleLabels => {
    const { image } = container.pod.spec.containers.find(({ name }) => name === container.name) ?? {};
    return { ...labelsOfContainer(container), image: image ?? '' };
  };
  return [
    writeMetric(
      { name: 'container_cpu_usage_seconds_total', type: 'counter', help: 'CPU time of the container in seconds.' },
      containers.map((each) => ({
        labels: { ...labelsOf(each), cpu: 'total' },
        value: countCpuSeconds(each.use, each.ranSeconds),
      })),
    ),
    writeMetric(
      { name: 'container_memory_working_set_bytes', type: 'gauge', help: 'Working set of the container in bytes.' },
      containers.map((each) => ({ labels: labelsOf(each), value: workingSetBytes(each.use) })),
    ),
  ].join('');
}
