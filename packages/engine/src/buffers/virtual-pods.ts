import {
  karpenterAnnotations,
  type CapacityBuffer,
  type Container,
  type Pod,
  type PodSpec,
  type PodTemplateSpec,
} from '@nodewright/apis';
import { podRequests } from '../pods/pod-requests.ts';
import type { Resources } from '../instance-types/instance-type.ts';

/** Behind every real pod. */
const leastPriority = -(2 ** 31);

/** Pods that stand for the units of a buffer. They exist in the scheduler alone, never in the API server. */
export const virtualPods = (buffer: CapacityBuffer, template: PodTemplateSpec, units: number): readonly Pod[] => {
  const spec = freeSpec(template.spec);
  return Array.from({ length: units }, (_, index) => virtualPod(buffer, { ...template, spec }, index + 1));
};

/** What one unit of a buffer asks for. */
export const unitRequests = (template: PodTemplateSpec): Resources => podRequests({ spec: freeSpec(template.spec) });

export const isVirtualPod = ({ metadata }: Pod): boolean =>
  metadata.annotations?.[karpenterAnnotations.capacityBufferFakePod] === 'true';

export const isRealPod = (pod: Pod): boolean => !isVirtualPod(pod);

/** `namespace/name` of the buffer that a virtual pod is of; `undefined` for real pods. */
export function bufferNameOf(pod: Pod): string | undefined {
  if (!isVirtualPod(pod)) return undefined;
  const { [karpenterAnnotations.capacityBufferName]: name, [karpenterAnnotations.capacityBufferNamespace]: namespace } =
    pod.metadata.annotations ?? {};
  return name === undefined || namespace === undefined ? undefined : `${namespace}/${name}`;
}

function virtualPod({ metadata }: CapacityBuffer, template: PodTemplateSpec, number: number): Pod {
  const { name, namespace = 'default', uid = '' } = metadata;
  const { labels } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `capacity-buffer-${name}-${number}`,
      namespace,
      uid: `${uid}-${number}`,
      ...(labels === undefined ? {} : { labels }),
      annotations: {
        [karpenterAnnotations.capacityBufferFakePod]: 'true',
        [karpenterAnnotations.capacityBufferName]: name,
        [karpenterAnnotations.capacityBufferNamespace]: namespace,
      },
    },
    spec: template.spec,
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  };
}

/** Bound to no node, and to no volume of its own. */
function freeSpec(written: PodSpec): PodSpec {
  const { nodeName: _, volumes = [], containers, initContainers, ...spec } = written;
  const claimed = new Set(
    volumes
      .filter((volume) => volume.persistentVolumeClaim !== undefined || 'ephemeral' in volume)
      .map(({ name }) => name),
  );
  const withoutClaims = (container: Container): Container => withoutMounts(container, claimed);
  return {
    ...spec,
    ...(volumes.length === 0 ? {} : { volumes: volumes.filter(({ name }) => !claimed.has(name)) }),
    containers: containers.map(withoutClaims),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withoutClaims) }),
    priority: leastPriority,
  };
}

function withoutMounts(container: Container, volumes: ReadonlySet<string>): Container {
  const { volumeMounts, ...rest } = container;
  if (volumeMounts === undefined) return container;
  return { ...rest, volumeMounts: volumeMounts.filter(({ name }) => !volumes.has(name)) };
}
