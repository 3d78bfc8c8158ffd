import {
  conditionOf,
  fromTimestamp,
  type Instant,
  instant,
  type NodeClaim,
  parseDurationOrNever,
  toTimestamp,
} from '@nodewright/apis';
import {
  candidacyOf,
  consolidationOutlook,
  disruptionMethods,
  EvictionRules,
  isMarkedForDeletion,
  nodeNameOf,
  nodePoolNameOf,
  type NodeState,
  printedBlocker,
  quietAt,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { describeTroubledConditions } from './condition-words.ts';
import { noSuchObject, type Explanation } from './explanation.ts';
import { nodeTroubles } from './node-trouble.ts';

type NodeReading = Pick<ClusterReading, 'disruption' | 'nodeClaims' | 'spotToSpot'>;

/**
 * Why a node is, or is not, being replaced.
 * @param name of the Node or of its NodeClaim
 */
export function explainNode(name: string, reading: NodeReading, now: Instant): Explanation {
  const state = reading.disruption.nodes.find((each) => namesOfNode(each).includes(name));
  if (state !== undefined) return { subject: { kind: 'Node', name: nodeNameOf(state) }, ...fate(state, reading, now) };
  const claim = reading.nodeClaims.find(({ metadata }) => metadata.name === name);
  if (claim !== undefined) return unlaunched(claim);
  throw noSuchObject('Node or NodeClaim', name, reading.disruption.nodes.map(nodeNameOf));
}

const namesOfNode = ({ node, nodeClaim }: NodeState): readonly string[] =>
  [node?.metadata.name, nodeClaim?.metadata.name].filter((name) => name !== undefined);

const unlaunched = ({ metadata, status }: NodeClaim): Explanation => ({
  subject: { kind: 'NodeClaim', name: metadata.name },
  answer: 'has no machine yet',
  reasons: describeTroubledConditions(status?.conditions),
});

function fate(state: NodeState, reading: NodeReading, now: Instant): Omit<Explanation, 'subject'> {
  const { nodeClaim: claim } = state;
  if (claim === undefined) return { answer: 'is left alone: no NodeClaim stands behind it', reasons: [] };
  const facts = [...nodeTroubles(state, now), ...factsOfNode(state, claim)];
  if (reading.disruption.queued.has(claim.metadata.name))
    return { answer: 'is being replaced: its replacements come first', reasons: facts };
  if (isMarkedForDeletion(state)) return { answer: 'is leaving', reasons: facts };
  const drift = conditionOf(claim, 'Drifted');
  return drift?.status === 'True'
    ? drifted(state, { reading, facts: [`${drift.reason} since ${drift.lastTransitionTime}`, ...facts], now })
    : explainSettledNode(state, { reading, facts, now });
}

const driftMethods = disruptionMethods.filter(({ reason }) => reason === 'Drifted');

type NodeExplanationFacts = { readonly reading: NodeReading; readonly facts: readonly string[]; readonly now: Instant };

function drifted(state: NodeState, { reading, facts, now }: NodeExplanationFacts): Omit<Explanation, 'subject'> {
  const plans = driftMethods.map(({ plan }) => plan(reading.disruption, now));
  const commands = plans.flatMap((plan) => plan.commands);
  const blocked = plans.flatMap((plan) => plan.blocked);
  const recheckAt = plans.flatMap((plan) => plan.recheckAt ?? []).toSorted((a, b) => a - b)[0];
  if (commands.some(({ candidates }) => candidates.some((candidate) => candidate.state === state)))
    return { answer: 'has drifted and is replaced next', reasons: facts };
  const blocker = blocked.find(({ node }) => node === state)?.blocker;
  const because = blocker === undefined ? 'its pool is not disrupted for drift' : printedBlocker(blocker);
  return {
    answer: `has drifted and is not replaced now: ${because}`,
    reasons: facts,
    ...(recheckAt === undefined
      ? {}
      : { changesAt: toTimestamp(recheckAt), change: 'a disruption budget changes, or the protection of a pod ends' }),
  };
}

function explainSettledNode(
  state: NodeState,
  { reading, facts, now }: NodeExplanationFacts,
): Omit<Explanation, 'subject'> {
  const { disruption, spotToSpot } = reading;
  const candidacy = candidacyOf(state, {
    supplies: [...disruption.supplies, ...(disruption.staticSupplies ?? [])],
    queued: disruption.queued,
    rules: new EvictionRules(disruption.podDisruptionBudgets),
    disruptionClass: 'graceful',
    reason: 'Underutilized',
    pauses: disruption.pauses,
    watched: disruption.watched,
    now,
  });
  const outlook = consolidationOutlook(state, disruption, { now, spotToSpot }) ?? [];
  const held =
    candidacy.kind === 'blocked' ? `it could not be disrupted now: ${printedBlocker(candidacy.blocker)}` : outlook;
  const quiet = candidacy.kind === 'candidate' ? quietAt(state.nodeClaim, candidacy.candidate.nodePool) : undefined;
  const change = firstChange({ expiry: expiryOf(state.nodeClaim), quiet }, now);
  return {
    answer: answerForTrouble(nodeTroubles(state, now)),
    reasons: [...facts, held].flat(),
    ...change,
  };
}

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
  const [first] = changes.toSorted((a, b) => a.at - b.at);
  return first === undefined ? {} : { changesAt: toTimestamp(first.at), change: first.change };
}

function answerForTrouble([trouble]: readonly string[]): string {
  return trouble === undefined
    ? 'stays: it is what its NodePool and NodeClass ask for'
    : `does not work as it should: ${trouble}; its NodePool and NodeClass ask for nothing else`;
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
