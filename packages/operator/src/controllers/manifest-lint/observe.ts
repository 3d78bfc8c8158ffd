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
 * The objects that define nodes and how they are replaced, with their kind: objects of a list have none. PodDisruptionBudgets
 * are left to the eviction queue: it reports a budget that never allows an eviction, with the pods concerned.
 */
export const listLintedObjects = (objects: Objects): readonly KubernetesObject[] => [
  ...ofKind(nodePools, objects.nodePools.list()),
  ...ofKind(ec2NodeClasses, objects.nodeClasses.list()),
  ...ofKind(nodeRolloutPolicies, objects.rolloutPolicies.list()),
];

/** Their kinds, for events. */
export const lintedTypes: readonly ResourceType[] = [nodePools, ec2NodeClasses, nodeRolloutPolicies];

const ofKind = (type: ResourceType, objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  objects
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((object) => ({ ...object, apiVersion: apiVersionOf(type), kind: type.kind }));
