import type { CapacityBuffer, KubernetesObject, Pod } from '@nodewright/apis';
import { bufferSize, bufferTemplate, bufferUnit, virtualPods } from '@nodewright/engine';
import { isEvaluated } from './overlays.ts';

/** A buffer that nothing is kept free for, and why. */
export type IdleBuffer = { readonly buffer: string; readonly message: string };

export type BufferUnits = {
  /** A pod for every unit of every buffer. */
  readonly units: readonly Pod[];
  readonly idle: readonly IdleBuffer[];
};

/**
 * What the buffers of manifests and a cluster would have.
 * @param gate the feature gate `CapacityBuffer`; not told, it counts as on where a controller has judged a buffer
 */
export function unitsOfBuffersIn(objects: readonly KubernetesObject[], gate: boolean | undefined): BufferUnits {
  const buffers = objects.filter(({ kind }) => kind === 'CapacityBuffer') as unknown as readonly CapacityBuffer[];
  const isOn = gate ?? buffers.some(isEvaluated);
  const all = buffers.map((buffer) => (isOn ? unitsOfBuffer(buffer, objects) : idle(buffer, bufferGateIsOff)));
  return { units: all.flatMap(({ units }) => units), idle: all.flatMap((each) => each.idle) };
}

const bufferGateIsOff = 'the feature gate CapacityBuffer is off';

function unitsOfBuffer(buffer: CapacityBuffer, objects: readonly KubernetesObject[]): BufferUnits {
  const found = bufferTemplate(buffer, (kind, { name, namespace }) =>
    objects.find(
      ({ kind: each, metadata }) =>
        each === kind && metadata.name === name && (metadata.namespace ?? 'default') === namespace,
    ),
  );
  if (found.kind === 'missing') return idle(buffer, found.message);
  const { name, namespace = 'default' } = buffer.metadata;
  const named = { ...buffer, metadata: { uid: `CapacityBuffer/${namespace}/${name}`, ...buffer.metadata } };
  return { units: virtualPods(named, found.template, bufferSize(buffer.spec, bufferUnit(found))), idle: [] };
}

const idle = ({ metadata: { name, namespace = 'default' } }: CapacityBuffer, message: string): BufferUnits => ({
  units: [],
  idle: [{ buffer: `${namespace}/${name}`, message }],
});
