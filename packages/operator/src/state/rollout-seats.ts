import type { AdmittedNode, NodeClaim } from '@nodewright/apis';
import { karpenterLabels, withAnnotations } from '@nodewright/apis';
import { rolloutAnnotation } from '../names.ts';
import type { Objects } from './objects.ts';
import { findActingPolicy } from './rollout-governance.ts';

type SeatObjects = Pick<Objects, 'rolloutPolicies' | 'nodePools' | 'rollouts'>;

/** The rollout that a claim was made for, if one. */
export const rolloutOfClaim = ({ metadata }: NodeClaim): string | undefined =>
  metadata.annotations?.[rolloutAnnotation];

/** That a policy has let a claim's node go; absent where it has not. */
export function findAdmission(objects: SeatObjects, claim: NodeClaim): AdmittedNode | undefined {
  const policy = findActingPolicy(objects, claim.metadata.labels?.[karpenterLabels.nodePool] ?? '');
  return policy?.status?.admitted?.find(({ node }) => node === claim.metadata.name);
}

/** The rollouts whose seats the replacements of a candidate take, one entry for each seat. */
export function seatsOfReplacements(objects: SeatObjects, candidate: NodeClaim): readonly string[] {
  const admitted = findAdmission(objects, candidate);
  const rollout = objects.rollouts.get(admitted?.rollout ?? '');
  if (admitted === undefined || rollout === undefined) return [];
  const isHalted = rollout.status?.halted?.variants.includes(admitted.variant) === true;
  return isHalted ? [] : Array.from({ length: admitted.claims }, () => rollout.metadata.name);
}

export const withRollout = (claim: NodeClaim, rollout: string | undefined): NodeClaim =>
  rollout === undefined ? claim : withAnnotations(claim, { [rolloutAnnotation]: rollout });
