import { toTimestamp } from '@nodewright/apis';
import {
  countCpuSeconds,
  listMeasuredContainers,
  nodeAgeSeconds,
  type ObservedNode,
  readNodeUse,
  workingSetBytes,
} from './measured-node.ts';
import type { SimulatedUse } from './simulated-use.ts';

const nanosPerCore = 1_000_000_000;

/** The document of the summary API. */
export function summarizeUse(observed: ObservedNode): object {
  const { node, pods, now } = observed;
  const time = toTimestamp(now);
  const statsOf = (use: SimulatedUse, ranSeconds: number): object => ({
    cpu: {
      time,
      usageNanoCores: Number(use.cpu),
      usageCoreNanoSeconds: Math.round(countCpuSeconds(use, ranSeconds) * nanosPerCore),
    },
    memory: { time, workingSetBytes: workingSetBytes(use), usageBytes: workingSetBytes(use) },
  });
  const containers = listMeasuredContainers(observed);
  const ofNode = statsOf(readNodeUse(observed), nodeAgeSeconds(observed));
  return {
    node: { nodeName: node.metadata.name, startTime: node.metadata.creationTimestamp, ...ofNode },
    pods: pods
      .filter((pod) => containers.some((container) => container.pod === pod))
      .map((pod) => ({
        podRef: { name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid },
        startTime: pod.status?.startTime,
        containers: containers
          .filter((container) => container.pod === pod)
          .map(({ name, use, ranSeconds }) => ({ name, ...statsOf(use, ranSeconds) })),
      })),
  };
}
