import { conditionFalse, conditionTrue, withLoneCondition, type CapacityBuffer, type Instant } from '@nodewright/apis';
import { bufferSize, bufferUnit, type BufferTemplate } from '@nodewright/engine';

/** The buffer with the status that follows from what its units are found to be like. */
export function plannedBuffer(buffer: CapacityBuffer, found: BufferTemplate, now: Instant): CapacityBuffer {
  const type = 'ReadyForProvisioning';
  if (found.kind === 'missing') {
    return withLoneCondition(buffer, conditionFalse(type, found.reason, found.message), now);
  }
  return withLoneCondition(sized(buffer, found), conditionTrue(type, 'Resolved'), now);
}

type FoundTemplate = Extract<BufferTemplate, { readonly kind: 'found' }>;

function sized(buffer: CapacityBuffer, found: FoundTemplate): CapacityBuffer {
  const { podTemplateRef: _, podTemplateGeneration: __, provisioningStrategy: ___, ...kept } = buffer.status ?? {};
  const { provisioningStrategy } = buffer.spec;
  return {
    ...buffer,
    status: {
      ...kept,
      replicas: bufferSize(buffer.spec, bufferUnit(found)),
      ...(provisioningStrategy === undefined ? {} : { provisioningStrategy }),
      ...(found.podTemplate === undefined ? {} : statusOfTemplate(found.podTemplate)),
    },
  };
}

const statusOfTemplate = ({ metadata }: NonNullable<FoundTemplate['podTemplate']>) => ({
  podTemplateRef: { name: metadata.name },
  podTemplateGeneration: metadata.generation ?? 0,
});
