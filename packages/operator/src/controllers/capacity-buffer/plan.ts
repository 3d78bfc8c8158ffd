import { conditionFalse, conditionTrue, withLoneCondition, type CapacityBuffer, type Instant } from '@nodewright/apis';
import { bufferSize, unitRequests } from '@nodewright/engine';
import type { BufferTemplate } from '../../state/buffer-templates.ts';

/** The buffer with the status that follows from what its units are found to be like. */
export function plannedBuffer(buffer: CapacityBuffer, found: BufferTemplate, now: Instant): CapacityBuffer {
  const type = 'ReadyForProvisioning';
  if (found.kind === 'missing') {
    return withLoneCondition(buffer, conditionFalse(type, found.reason, found.message), now);
  }
  return withLoneCondition(sized(buffer, found), conditionTrue(type, 'Resolved'), now);
}

type Found = Extract<BufferTemplate, { readonly kind: 'found' }>;

function sized(buffer: CapacityBuffer, { template, podTemplate, workloadReplicas }: Found): CapacityBuffer {
  const { podTemplateRef: _, podTemplateGeneration: __, provisioningStrategy: ___, ...kept } = buffer.status ?? {};
  const { provisioningStrategy } = buffer.spec;
  const requests = unitRequests(template);
  const unit = workloadReplicas === undefined ? { requests } : { requests, workloadReplicas };
  return {
    ...buffer,
    status: {
      ...kept,
      replicas: bufferSize(buffer.spec, unit),
      ...(provisioningStrategy === undefined ? {} : { provisioningStrategy }),
      ...(podTemplate === undefined ? {} : statusOfTemplate(podTemplate)),
    },
  };
}

const statusOfTemplate = ({ metadata }: NonNullable<Found['podTemplate']>) => ({
  podTemplateRef: { name: metadata.name },
  podTemplateGeneration: metadata.generation ?? 0,
});
