import { awsLabels, karpenterLabels, kubernetesLabels } from '../labels.ts';
import type { NodePool, RequirementWithMinValues } from '../types.ts';
import type { Provisioner, ProvisionerSpec } from './provisioner.ts';

/**
 * A Provisioner as a NodePool. What was understood without words is spelled out: linux, amd64, on-demand, and the
 * categories c, m and r above generation 2 where no instance type is asked for. Its kubelet settings are not in the
 * result: they belong to the EC2NodeClass now.
 */
export function provisionerToNodePool({ metadata, spec = {} }: Provisioner): NodePool {
  const { labels, annotations, limits, taints, startupTaints, weight, providerRef } = spec;
  const templateMetadata = {
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata,
    spec: {
      template: {
        ...(Object.keys(templateMetadata).length === 0 ? {} : { metadata: templateMetadata }),
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: providerRef?.name ?? '' },
          requirements: requirementsOfProvisioner(spec),
          ...(taints === undefined ? {} : { taints }),
          ...(startupTaints === undefined ? {} : { startupTaints }),
          expireAfter: durationOf(spec.ttlSecondsUntilExpired),
        },
      },
      disruption: disruptionOf(spec),
      ...(limits?.resources === undefined ? {} : { limits: limits.resources }),
      ...(weight === undefined ? {} : { weight }),
    },
  };
}

type ProvisionerDisruption = NonNullable<NodePool['spec']['disruption']>;

/** Without either setting nothing ever removed a node for being empty or too large. */
function disruptionOf({ consolidation, ttlSecondsAfterEmpty }: ProvisionerSpec): ProvisionerDisruption {
  return consolidation?.enabled === true
    ? { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' }
    : { consolidationPolicy: 'WhenEmpty', consolidateAfter: durationOf(ttlSecondsAfterEmpty) };
}

function requirementsOfProvisioner({ requirements = [] }: ProvisionerSpec): readonly RequirementWithMinValues[] {
  const isAsked = (keys: readonly string[]): boolean => requirements.some(({ key }) => keys.includes(key));
  return [...requirements, ...understood.filter(({ unless }) => !isAsked(unless)).flatMap(({ meant }) => meant)];
}

const aboutTypes: readonly string[] = [
  kubernetesLabels.instanceType,
  awsLabels.instanceFamily,
  awsLabels.instanceCategory,
  awsLabels.instanceGeneration,
];

type UnderstoodField = { readonly unless: readonly string[]; readonly meant: readonly RequirementWithMinValues[] };

const requirementIn = (key: string, ...values: readonly string[]): RequirementWithMinValues => ({
  key,
  operator: 'In',
  values,
});

const understood: readonly UnderstoodField[] = [
  { unless: [kubernetesLabels.os], meant: [requirementIn(kubernetesLabels.os, 'linux')] },
  { unless: [kubernetesLabels.arch], meant: [requirementIn(kubernetesLabels.arch, 'amd64')] },
  { unless: [karpenterLabels.capacityType], meant: [requirementIn(karpenterLabels.capacityType, 'on-demand')] },
  {
    unless: aboutTypes,
    meant: [
      requirementIn(awsLabels.instanceCategory, 'c', 'm', 'r'),
      { key: awsLabels.instanceGeneration, operator: 'Gt', values: ['2'] },
    ],
  },
];

/** `720h`, `90m` or `45s`: the largest unit that is exact. */
function durationOf(seconds: number | undefined): string {
  if (seconds === undefined) return 'Never';
  if (seconds === 0) return '0s';
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
