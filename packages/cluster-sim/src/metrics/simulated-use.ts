import { type Container, type Node, parseQuantity, type Pod, readOwn, type ResourceList } from '@nodewright/apis';
import { isEndedPod } from '../objects/pod-health.ts';

/** What each container of a pod uses is said by these annotations of the pod, or else follows from its requests. */
export const useAnnotations = {
  cpu: 'sandbox.nodewright.dev/cpu-use',
  memory: 'sandbox.nodewright.dev/memory-use',
} as const;

export type MeasuredResource = keyof typeof useAnnotations;

/** In billionths of a core and of a byte. */
export type SimulatedUse = Readonly<Record<MeasuredResource, bigint>>;

/** Half of what is requested, or a little where nothing is. */
const usualShare = 2n;
const least = { cpu: parseQuantity('10m').nanos, memory: parseQuantity('20Mi').nanos };
const ofSystem = { cpu: parseQuantity('60m').nanos, memory: parseQuantity('500Mi').nanos };

/** The use of each container that runs; `undefined` for a pod that does not. */
export function simulatedPodUse(pod: Pod): ReadonlyMap<string, SimulatedUse> | undefined {
  if (pod.status?.phase !== 'Running' || isEndedPod(pod)) return undefined;
  const running = (pod.status.containerStatuses ?? []).filter(({ state }) => state?.running !== undefined);
  const containers = pod.spec.containers.filter(({ name }) => running.some((status) => status.name === name));
  return new Map(containers.map((container) => [container.name, containerUse(pod, container)]));
}

const containerUse = (pod: Pod, { resources }: Container): SimulatedUse => ({
  cpu: usedNanos(pod, 'cpu', resources?.requests),
  memory: usedNanos(pod, 'memory', resources?.requests),
});

function usedNanos({ metadata }: Pod, resource: MeasuredResource, requests: ResourceList | undefined): bigint {
  const said = readOwn(metadata.annotations, useAnnotations[resource]);
  if (said !== undefined) return nanosOrNone(said) ?? least[resource];
  const requested = readOwn(requests, resource);
  return requested === undefined ? least[resource] : parseQuantity(requested).nanos / usualShare;
}

function nanosOrNone(text: string): bigint | undefined {
  try {
    return parseQuantity(text).nanos;
  } catch {
    return undefined;
  }
}

/** What the pods of a node use, and what its system does; `undefined` for a node that is not ready. */
export function simulatedNodeUse({ status }: Node, pods: readonly Pod[]): SimulatedUse | undefined {
  if (!status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True')) return undefined;
  return pods.flatMap((pod) => [...(simulatedPodUse(pod)?.values() ?? [])]).reduce(addUse, ofSystem);
}

const addUse = (a: SimulatedUse, b: SimulatedUse): SimulatedUse => ({
  cpu: a.cpu + b.cpu,
  memory: a.memory + b.memory,
});

/** As the metrics server writes amounts. */
export const printUse = ({ cpu, memory }: SimulatedUse): { readonly cpu: string; readonly memory: string } => ({
  cpu: `${cpu}n`,
  memory: `${memory / (1024n * 1_000_000_000n)}Ki`,
});
