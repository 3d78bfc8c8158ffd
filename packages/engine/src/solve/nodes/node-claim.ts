import {
  byTextOf,
  isRestrictedLabel,
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  wellKnownLabels,
  type NodeClaim,
  type NodePool,
  type RequirementWithMinValues,
  type ResourceList,
} from '@nodewright/apis';
import { hashVersion, nodePoolHash } from '../../drift/static-hash.ts';
import {
  chooseValue,
  withoutKeys,
  type Requirement,
  type Requirements,
  writeRequirements,
  requirementsIntersect,
} from '@nodewright/requirements';
import { nodePoolTemplateLabels, templateRequirements } from './node-template.ts';
import type { NewNode } from '../problem.ts';
import { toResourceList } from '../../instance-types/resources.ts';

/** Labels that the solver adds to count the daemons that wait for them. No claim requires them. */
const simulatedClaimName: ReadonlySet<string> = new Set([karpenterLabels.registered, karpenterLabels.initialized]);

/**
 * The NodeClaim that asks for a new node. Its name is empty and its `generateName` that of the
 * pool: the API server completes it. Hashes are those of the pool the decision was made with.
 */
export function claimFor(node: NewNode): NodeClaim {
  const requirements = withoutKeys(node.requirements, simulatedClaimName);
  return claimOf(node.nodePool, requirements, {
    annotations: {
      [karpenterAnnotations.minValuesRelaxed]: String(node.minValuesRelaxed),
      ...overlayAnnotations(node),
    },
    requirements: writtenRequirements(requirements, node),
    requests: toResourceList(node.requests),
  });
}

/** The NodeClaim that asks for a node of a pool with `replicas`: all that the template admits, for no pods in particular. */
export function staticClaimFor(nodePool: NodePool): NodeClaim {
  const requirements = templateRequirements(nodePool);
  return claimOf(nodePool, requirements, {
    annotations: { [karpenterAnnotations.minValuesRelaxed]: 'false' },
    requirements: writeRequirements(requirements),
    requests: {},
  });
}

type ClaimParticulars = {
  readonly annotations: Readonly<Record<string, string>>;
  readonly requirements: readonly RequirementWithMinValues[];
  readonly requests: ResourceList;
};

function claimOf(nodePool: NodePool, requirements: Requirements, own: ClaimParticulars): NodeClaim {
  const { template } = nodePool.spec;
  const { nodeClassRef, taints, startupTaints, terminationGracePeriod, expireAfter } = template.spec;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: '',
      generateName: `${nodePool.metadata.name}-`,
      labels: { ...nodePoolTemplateLabels(nodePool), ...claimLabelsOf(requirements) },
      annotations: {
        ...template.metadata?.annotations,
        [karpenterAnnotations.nodePoolHash]: nodePoolHash(nodePool),
        [karpenterAnnotations.nodePoolHashVersion]: hashVersion,
        ...own.annotations,
      },
      ownerReferences: [ownerReferenceTo(nodePool)],
    },
    spec: {
      nodeClassRef,
      requirements: own.requirements,
      resources: { requests: own.requests },
      ...(taints === undefined ? {} : { taints }),
      ...(startupTaints === undefined ? {} : { startupTaints }),
      ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
      ...(expireAfter === undefined ? {} : { expireAfter }),
    },
  };
}

/** Prices from overlays, which EC2 does not know. The launch chooses by them. */
const overlayAnnotations = ({ instanceTypes }: NewNode): Readonly<Record<string, string>> => ({
  ...(instanceTypes.some(({ offerings }) => offerings.some(({ overlaidBy }) => overlaidBy !== undefined))
    ? { [karpenterAnnotations.priceOverlayApplied]: 'true' }
    : {}),
  ...(instanceTypes.some(({ overlaidBy }) => overlaidBy !== undefined)
    ? { [karpenterAnnotations.capacityOverlayApplied]: 'true' }
    : {}),
});

const ownerReferenceTo = (nodePool: NodePool) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  name: nodePool.metadata.name,
  uid: nodePool.metadata.uid ?? '',
  blockOwnerDeletion: true,
});

/** Labels that the cloud does not set get one value that the requirements allow. */
const claimLabelsOf = (requirements: Requirements): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...requirements.values()]
      .filter(({ key }) => !wellKnownLabels.has(key) && !isRestrictedLabel(key))
      .map((r) => [r.key, chooseValue(r)] as const)
      .filter(([, value]) => value !== '')
      .toSorted(byTextOf(([name]) => name)),
  );

/** The final requirements, with the remaining instance types and capacity types. */
function writtenRequirements(requirements: Requirements, node: NewNode): readonly RequirementWithMinValues[] {
  const types = node.instanceTypes.map(({ name }) => name);
  const narrowed = new Map(requirements);
  narrowed.set(kubernetesLabels.instanceType, listedTypeNames(requirements, kubernetesLabels.instanceType, types));
  narrowed.set(
    karpenterLabels.capacityType,
    listedTypeNames(requirements, karpenterLabels.capacityType, capacityTypesOfNode(node)),
  );
  return writeRequirements(narrowed);
}

function listedTypeNames(requirements: Requirements, key: string, values: readonly string[]): Requirement {
  const minValues = requirements.get(key)?.minValues;
  return { key, complement: false, values: new Set(values), ...(minValues === undefined ? {} : { minValues }) };
}

const capacityTypesOfNode = ({ instanceTypes, requirements }: NewNode): readonly string[] =>
  instanceTypes
    .flatMap(({ offerings }) => offerings)
    .filter((offering) => offering.available && requirementsIntersect(requirements, offering.requirements))
    .map(({ capacityType }) => capacityType);
