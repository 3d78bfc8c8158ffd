import {
  awsAnnotations,
  type EC2NodeClass,
  isConditionTrue,
  karpenterAnnotations,
  karpenterLabels,
  type NodeClaim,
  type NodePool,
  readOwn,
} from '@nodewright/apis';
import { ec2NodeClassHash, hashVersion, nodePoolHash } from '@nodewright/engine';
import { isCompatible, parseRequirements, requirementsOfLabels } from '@nodewright/requirements';
import type { TakeoverSnapshot } from './observe-takeover.ts';
import type { TakeoverFinding } from './takeover-finding.ts';

/** A reason for which a claim would drift: told of those for which it holds. */
type DriftCheck = { readonly because: string; readonly holds: (claim: NodeClaim) => boolean };

/** Which nodes would drift, by what their NodePool and their EC2NodeClass say now. */
export const judgeDrift = ({ pools, classes, claims }: TakeoverSnapshot): readonly TakeoverFinding[] => [
  ...pools.map((pool) => {
    const { name } = pool.metadata;
    const own = claims.filter(({ metadata }) => metadata.labels?.[karpenterLabels.nodePool] === name);
    return judgeOwner(`NodePool ${name}`, own, checksOfPool(pool));
  }),
  ...classes.map((nodeClass) => {
    const { name } = nodeClass.metadata;
    const own = claims.filter(({ spec }) => spec.nodeClassRef.name === name);
    return judgeOwner(`EC2NodeClass ${name}`, own, checksOfClass(nodeClass));
  }),
];

function checksOfPool(pool: NodePool): readonly DriftCheck[] {
  const { nodePoolHash: key, nodePoolHashVersion: versionKey } = karpenterAnnotations;
  const wanted = parseRequirements(pool.spec.template.spec.requirements);
  return [
    { because: 'its hash', holds: hasOtherHash({ hash: nodePoolHash(pool), key, versionKey }) },
    {
      because: 'its requirements',
      holds: ({ metadata }) => !isCompatible(requirementsOfLabels(metadata.labels), wanted),
    },
  ];
}

function checksOfClass(nodeClass: EC2NodeClass): readonly DriftCheck[] {
  const { ec2NodeClassHash: key, ec2NodeClassHashVersion: versionKey } = awsAnnotations;
  const selected = new Set((nodeClass.status?.amis ?? []).map(({ id }) => id));
  return [
    { because: 'its hash', holds: hasOtherHash({ hash: ec2NodeClassHash(nodeClass), key, versionKey }) },
    {
      because: 'its images',
      // Without images nothing was resolved, which is no reason to replace a node.
      holds: ({ status }) => selected.size > 0 && status?.imageID !== undefined && !selected.has(status.imageID),
    },
  ];
}

type AnnotatedHash = { readonly hash: string; readonly key: string; readonly versionKey: string };

/** Hashes of an older formula are written anew by either controller, and no node drifts by that. */
const hasOtherHash =
  ({ hash, key, versionKey }: AnnotatedHash) =>
  ({ metadata: { annotations = {} } }: NodeClaim): boolean =>
    readOwn(annotations, versionKey) === hashVersion && readOwn(annotations, key) !== hash;

function judgeOwner(subject: string, claims: readonly NodeClaim[], checks: readonly DriftCheck[]): TakeoverFinding {
  const base = { check: 'drift', subject } as const;
  const standing = claims.filter((claim) => !isConditionTrue(claim, 'Drifted'));
  const reasons = checks.flatMap(({ because, holds }) => {
    const names = standing.filter(holds).map(({ metadata }) => metadata.name);
    return names.length === 0
      ? []
      : [`${names.length} of ${claims.length} nodes would drift by ${because}: ${names.join(', ')}`];
  });
  if (reasons.length > 0) return { ...base, state: 'blocked', message: reasons.join('; ') };
  const drifted = claims.length - standing.length;
  const already = drifted === 0 ? '' : `; ${drifted} have drifted already, and either controller replaces them`;
  return { ...base, state: 'ok', message: `no node of ${claims.length} would drift${already}` };
}
