import {
  conditionOf,
  fromTimestamp,
  type Instant,
  instant,
  type NodeClaim,
  parseDurationOrNever,
  toTimestamp,
  byNumberOf,
} from '@nodewright/apis';
import {
  candidacyOf,
  consolidationOutlook,
  type DisruptionBlocker,
  EvictionRules,
  type CandidacyQuestion,
  listOwnBlockers,
  nodeNameOf,
  nodePoolNameOf,
  type NodeState,
  printedBlocker,
  quietAt,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { describeClosedPool } from './budget-opening.ts';
import { createNoSuchObjectError } from './explanation.ts';
import { describeTroubledConditions } from './condition-words.ts';
import { listDrainBlockers } from './drain-blockers.ts';
import type { Explanation } from '../rows/dashboard-rows.ts';
import { listForeignFacts, type UnkeptGroup } from './foreign-node.ts';
import { describeGroupNode, findGroupOfNode } from './group-node.ts';
import { createPriceReader, describeNodeAmounts } from './node-amounts.ts';
import { nodeTroubles } from './node-trouble.ts';
import { createNodeJudge, describeUnsuppliedPool, type NodeJudgement } from './node-judgement.ts';

type NodeReading = Pick<
  ClusterReading,
  'disruption' | 'nodeClaims' | 'nodeGroups' | 'nodePools' | 'spotToSpot' | 'unsuppliedPools'
> & {
  /** Of a node that nothing in the cluster tells of: its Auto Scaling group, where AWS was asked. */
  readonly unkeptGroup?: UnkeptGroup;
};

/**
 * Why a node is, or is not, being replaced.
 * @param name of the Node or of its NodeClaim
 */
export function explainNode(name: string, reading: NodeReading, now: Instant): Explanation {
  const state = reading.disruption.nodes.find((each) => namesOfNode(each).includes(name));
  if (state !== undefined)
    return { subject: { kind: 'Node', name: nodeNameOf(state) }, ...explainStanding(state, reading, now) };
  const claim = reading.nodeClaims.find(({ metadata }) => metadata.name === name);
  if (claim !== undefined) return unlaunched(claim);
  throw createNoSuchObjectError('Node or NodeClaim', name, reading.disruption.nodes.map(nodeNameOf));
}

const namesOfNode = ({ node, nodeClaim }: NodeState): readonly string[] =>
  [node?.metadata.name, nodeClaim?.metadata.name].filter((name) => name !== undefined);

const unlaunched = ({ metadata, status }: NodeClaim): Explanation => ({
  subject: { kind: 'NodeClaim', name: metadata.name },
  answer: 'has no machine yet',
  reasons: describeTroubledConditions(status?.conditions),
});

function explainStanding(state: NodeState, reading: NodeReading, now: Instant): Omit<Explanation, 'subject'> {
  const fate = explainFate(state, reading, now);
  const amounts = describeNodeAmounts(state, createPriceReader(reading.disruption));
  return { ...fate, reasons: [...fate.reasons, amounts] };
}

function explainFate(state: NodeState, reading: NodeReading, now: Instant): Omit<Explanation, 'subject'> {
  const { nodeClaim: claim } = state;
  const verdict = createNodeJudge(reading, now)(state);
  const { answer } = verdict;
  if (claim === undefined) {
    const group = findGroupOfNode(state, reading.nodeGroups);
    const facts = group === undefined ? listForeignFacts(state, reading.unkeptGroup) : describeGroupNode(state, group);
    return { answer, reasons: [...nodeTroubles(state, now), ...facts] };
  }
  const facts = [...nodeTroubles(state, now), ...factsOfNode(state, claim)];
  switch (verdict.kind) {
    case 'leaving':
      return { answer, reasons: [...facts, ...describeDrain(state, reading, now)] };
    case 'next':
    case 'unforeseen':
      return { answer, reasons: [...describeDrift(claim), ...facts] };
    case 'held':
      return {
        answer,
        reasons: [...describeDrift(claim), ...describeFurtherHold(verdict), ...facts],
        ...changeOfBlocker(verdict),
      };
    case 'stays':
    case 'starting':
    case 'troubled':
      return { answer, ...explainSettledNode(state, { reading, facts, now }) };
    case 'unmanaged':
    case 'replacing':
      return { answer, reasons: facts };
  }
}

const describeFurtherHold = ({
  further = [],
  closedPool,
}: Pick<Extract<NodeJudgement, { readonly kind: 'held' }>, 'further' | 'closedPool'>): readonly string[] => [
  ...further.map((blocker) => `without that it would still be held: ${printedBlocker(blocker)}`),
  ...(closedPool === undefined ? [] : [`without that ${describeClosedPool(closedPool)}`]),
];

function describeDrift(claim: NodeClaim): readonly string[] {
  const drift = conditionOf(claim, 'Drifted');
  return drift === undefined ? [] : [`${drift.reason} since ${drift.lastTransitionTime}`];
}

const changeOfBlocker = ({ recheckAt }: { readonly recheckAt?: Instant }): Pick<Explanation, 'changesAt' | 'change'> =>
  recheckAt === undefined
    ? {}
    : {
        changesAt: toTimestamp(recheckAt),
        change: 'a disruption budget changes, or the protection of a pod ends',
      };

const describeDrain = (state: NodeState, { disruption }: NodeReading, now: Instant): readonly string[] =>
  listDrainBlockers(state, disruption, now).map(({ message }) => `it cannot be drained yet: ${message}`);

type NodeExplanationFacts = { readonly reading: NodeReading; readonly facts: readonly string[]; readonly now: Instant };

function explainSettledNode(
  state: NodeState,
  { reading, facts, now }: NodeExplanationFacts,
): Omit<Explanation, 'subject' | 'answer'> {
  const { disruption, spotToSpot } = reading;
  const context: CandidacyQuestion = {
    queued: disruption.queued,
    rules: new EvictionRules(disruption.podDisruptionBudgets),
    disruptionClass: 'graceful',
    reason: 'Underutilized',
    pauses: disruption.pauses,
    watched: disruption.watched,
    now,
  };
  const supplies = [...disruption.supplies, ...(disruption.staticSupplies ?? [])];
  const candidacy = candidacyOf(state, { ...context, supplies });
  const held =
    candidacy.kind === 'blocked'
      ? describeCandidacy(state, candidacy.blocker, { reading, context })
      : (consolidationOutlook(state, disruption, { now, spotToSpot }) ?? []);
  const quiet = candidacy.kind === 'candidate' ? quietAt(state.nodeClaim, candidacy.candidate.nodePool) : undefined;
  const change = firstChange({ expiry: expiryOf(state.nodeClaim), quiet }, now);
  return {
    reasons: [...facts, held].flat(),
    ...change,
  };
}

type CandidacyFacts = { readonly reading: NodeReading; readonly context: CandidacyQuestion };

/** Where only this reader does not know what the pool could launch, that holds nothing: what does is told instead. */
function describeCandidacy(
  state: NodeState,
  blocker: DisruptionBlocker,
  { reading: { unsuppliedPools, nodePools }, context }: CandidacyFacts,
): string {
  if (blocker.kind !== 'nodePoolNotFound' || !unsuppliedPools.has(blocker.nodePool)) return describeHold(blocker);
  const pool = nodePools.find(({ metadata }) => metadata.name === blocker.nodePool);
  const [hold] = listOwnBlockers(state, pool, context);
  return hold === undefined ? describeUnsuppliedPool(blocker.nodePool) : describeHold(hold);
}

const describeHold = (blocker: DisruptionBlocker): string =>
  `it could not be disrupted now: ${printedBlocker(blocker)}`;

type Changes = { readonly expiry: Instant | undefined; readonly quiet: Instant | undefined };

/** What time alone does to a node first. */
function firstChange({ expiry, quiet }: Changes, now: Instant): Pick<Explanation, 'changesAt' | 'change'> {
  const changes = [
    { at: expiry, change: 'the node expires and is replaced' },
    {
      at: quiet,
      change: 'no pod has come or gone for as long as consolidateAfter says, and the node may be consolidated',
    },
  ].flatMap(({ at, change }) => (at === undefined || at <= now ? [] : [{ at, change }]));
  const [first] = changes.toSorted(byNumberOf(({ at }) => at));
  return first === undefined ? {} : { changesAt: toTimestamp(first.at), change: first.change };
}

function factsOfNode(state: NodeState, claim: NodeClaim): readonly string[] {
  const { status, metadata } = claim;
  const expiry = expiryOf(claim);
  const quiet = conditionOf(claim, 'Consolidatable')?.status === 'True';
  return [
    `NodePool ${nodePoolNameOf(state) ?? '(none)'}, NodeClaim ${metadata.name}, image ${status?.imageID ?? '(none)'}`,
    ...(expiry === undefined ? [] : [`it expires at ${toTimestamp(expiry)}`]),
    ...(quiet ? ['no pod has come or gone for as long as consolidateAfter says'] : []),
    ...describeTroubledConditions(
      status?.conditions?.filter(({ type }) => type !== 'Drifted' && type !== 'Consolidatable'),
    ),
  ];
}

function expiryOf(claim: NodeClaim | undefined): Instant | undefined {
  const { spec, metadata } = claim ?? {};
  const lifetime = parseDurationOrNever(spec?.expireAfter ?? 'Never');
  return lifetime === 'Never' || metadata?.creationTimestamp === undefined
    ? undefined
    : instant(fromTimestamp(metadata.creationTimestamp) + lifetime);
}
