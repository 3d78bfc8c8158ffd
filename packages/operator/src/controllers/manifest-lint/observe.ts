import {
  apiVersionOf,
  ec2NodeClasses,
  type KubernetesObject,
  nodePools,
  nodeRolloutPolicies,
  type ResourceType,
} from '@nodewright/apis';
import type { Objects } from '../../state/objects.ts';

/**
 * What nodes are made and moved by. Lists do not say of what kind their objects are. What keeps pods is left to who evicts
 * them: a budget that never yields is told there, with the pods that it keeps.
 */
export const listLintedObjects = (objects: Objects): readonly KubernetesObject[] => [
  ...ofKind(nodePools, objects.nodePools.list()),
  ...ofKind(ec2NodeClasses, objects.nodeClasses.list()),
  ...ofKind(nodeRolloutPolicies, objects.rolloutPolicies.list()),
];

/** The kinds of it, for events. */
export const lintedTypes: readonly ResourceType[] = [nodePools, ec2NodeClasses, nodeRolloutPolicies];

const ofKind = (type: ResourceType, objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  objects
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((object) => ({ ...object, apiVersion: apiVersionOf(type), kind: type.kind }));
