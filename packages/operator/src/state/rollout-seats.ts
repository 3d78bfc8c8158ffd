import {
  type AdmittedNode,
  instant,
  type Instant,
  isConditionTrue,
  karpenterLabels,
  minutes,
  type NodeClaim,
  withAnnotations,
} from '@nodewright/apis';
import { hasEnded, resolveRolloutSettings } from '@nodewright/engine';
import { rolloutAnnotation } from '../names.ts';
import type { Objects } from './objects.ts';
import { findActingPolicy, isPoolGoverned } from './rollout-governance.ts';

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

/**
 * Claims whose nodes were let go, while a new node of their rollout is given up that was never initialized: whether it
 * counts as a failure is known before the next one is tried.
 */
export const claimsAwaitingVerdict = ({ rollouts, rolloutPolicies, nodeClaims }: VerdictObjects): readonly string[] => {
  if (rollouts.list().length === 0) return [];
  const givenUp = new Set(
    nodeClaims
      .list()
      .filter((claim) => claim.metadata.deletionTimestamp !== undefined && !isConditionTrue(claim, 'Initialized'))
      .flatMap((claim) => rolloutOfClaim(claim) ?? []),
  );
  return rolloutPolicies
    .list()
    .flatMap(({ status }) => status?.admitted ?? [])
    .filter(({ rollout }) => rollout !== undefined && givenUp.has(rollout))
    .map(({ node }) => node);
};

type VerdictObjects = Pick<Objects, 'rollouts' | 'rolloutPolicies' | 'nodeClaims'>;

/** For so long a rollout may take to write down that a new node has not joined: it may be the zone's fault, and then it never does. */
const verdictMs = minutes(5);

/**
 * Until when a new node of a rollout that has not joined is kept although its time is up: what it failed at is written down
 * before it goes. Absent where no rollout judges it, and once it is judged.
 */
export function judgedByAt(
  objects: SeatObjects,
  claim: NodeClaim,
  { createdAt, giveUpAt }: { readonly createdAt: Instant; readonly giveUpAt: Instant },
): Instant | undefined {
  const { name, labels } = claim.metadata;
  const rollout = objects.rollouts.get(rolloutOfClaim(claim) ?? '');
  if (rollout === undefined || hasEnded(rollout)) return undefined;
  if (rollout.status?.failures?.some(({ node }) => node === name) === true) return undefined;
  const policy = findActingPolicy(objects, labels?.[karpenterLabels.nodePool] ?? '');
  const { registrationMs } = policy === undefined ? {} : resolveRolloutSettings(policy.spec).signals;
  return registrationMs === undefined ? undefined : instant(Math.max(createdAt + registrationMs, giveUpAt) + verdictMs);
}

/**
 * Claims that say Drifted although no policy lets their nodes go any more: it took that back, and the condition is late
 * to follow.
 */
export const claimsKeptByPolicy = (objects: SeatObjects & Pick<Objects, 'nodeClaims'>): readonly string[] =>
  objects.rolloutPolicies.list().length === 0
    ? []
    : objects.nodeClaims
        .by('stage', 'toGo')
        .filter((claim) => isConditionTrue(claim, 'Drifted') && !mayGo(objects, claim))
        .map(({ metadata }) => metadata.name);

function mayGo(objects: SeatObjects, claim: NodeClaim): boolean {
  if (!isPoolGoverned(objects, claim.metadata.labels?.[karpenterLabels.nodePool] ?? '')) return true;
  const admitted = findAdmission(objects, claim);
  if (admitted === undefined) return false;
  return admitted.rollout === undefined || seatsOfReplacements(objects, claim).length > 0 || admitted.claims === 0;
}

/** Claims whose nodes rollouts let go on their way back to the release before. */
export const claimsTakenBack = ({ rolloutPolicies }: Pick<Objects, 'rolloutPolicies'>): ReadonlySet<string> =>
  new Set(
    rolloutPolicies
      .list()
      .flatMap(({ status }) => status?.admitted ?? [])
      .filter(({ reason }) => reason === 'Rollback')
      .map(({ node }) => node),
  );

/** Claims that sit in seats which are not proven yet, with their rollouts. After a halt they are nothing but nodes. */
export const watchedClaims = ({ rollouts }: Pick<Objects, 'rollouts'>): ReadonlyMap<string, string> =>
  new Map(
    rollouts
      .list()
      .filter((rollout) => !hasEnded(rollout) && rollout.status?.halted === undefined)
      .flatMap(({ metadata, status }) =>
        (status?.seats ?? []).flatMap(({ member, result }): [string, string][] =>
          member === undefined || result !== undefined ? [] : [[member, metadata.name]],
        ),
      ),
  );
