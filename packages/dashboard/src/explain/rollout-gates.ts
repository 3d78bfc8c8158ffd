import { byText, instant, type Instant, type NodePool, toTimestamp } from '@nodewright/apis';
import { type HeldMove, type LateNode, type MoveBlocker, printMoveBlocker } from '@nodewright/engine';
import type { RolloutOutlook } from '@nodewright/operator';
import type { Explanation } from '../rows/dashboard-rows.ts';

/** What the gates of a policy say of a node. */
export type GateAnswer = Partial<Pick<Explanation, 'answer' | 'changesAt' | 'change'>> & {
  readonly reasons: readonly string[];
  /** Whether no gate is asked, because nothing has to change. */
  readonly isAtRest?: true;
};

/** What is said of a settled node: what its gates say. One that does not work is not said to have nothing to change. */
export const chooseGateAnswer = (own: string, { answer = own, isAtRest }: GateAnswer): string =>
  isAtRest === true && own.startsWith('does not work') ? own : answer;

/** Every gate that holds a node back, in the order in which they are asked; absent for a node of no policy. */
export function describeGates(
  outlooks: readonly RolloutOutlook[],
  names: readonly string[],
  now: Instant,
): GateAnswer | undefined {
  return createGateReader(outlooks, now)(names)?.answer;
}

/** A node under a policy: what its gates say, and what holds it. */
export type GovernedNode = {
  readonly outlook: RolloutOutlook;
  readonly node: OutlookNode;
  readonly answer: GateAnswer;
  /** Empty where nothing holds it. */
  readonly blockers: readonly MoveBlocker[];
};

export type GateReader = (names: readonly string[]) => GovernedNode | undefined;

/** Indexes the outlooks once, to be asked about many nodes by the names of Node and NodeClaim. */
export function createGateReader(outlooks: readonly RolloutOutlook[], now: Instant): GateReader {
  const nodes = new Map<string, { readonly index: OutlookIndex; readonly node: OutlookNode }>();
  for (const outlook of outlooks.toReversed()) {
    const index = indexOutlook(outlook);
    for (const node of outlook.snapshot.nodes)
      for (const name of [node.name, outlook.nodeNames.get(node.name) ?? node.name]) nodes.set(name, { index, node });
  }
  return (names) => {
    const found = names.flatMap((name) => nodes.get(name) ?? [])[0];
    return found === undefined ? undefined : readNodeGates(found.index, found.node, now);
  };
}

/** What the outlook says of nodes and of groups, by their names. */
type OutlookIndex = {
  readonly outlook: RolloutOutlook;
  readonly before: ReadonlySet<string>;
  readonly next: ReadonlyMap<string, string>;
  readonly held: ReadonlyMap<string, HeldMove>;
  readonly late: ReadonlyMap<string, LateNode>;
};

const indexOutlook = (outlook: RolloutOutlook): OutlookIndex => ({
  outlook,
  before: new Set((outlook.snapshot.policy.status?.admitted ?? []).map(({ node }) => node)),
  next: new Map((outlook.plan.policyStatus.admitted ?? []).map(({ node, reason }) => [node, reason])),
  held: new Map(outlook.plan.held.map((move) => [move.node, move])),
  late: new Map(outlook.plan.lateNodes.map((each) => [each.node, each])),
});

function readNodeGates(
  { outlook, before, next, held, late }: OutlookIndex,
  node: OutlookNode,
  now: Instant,
): GovernedNode {
  const facts = [
    factOfImage(outlook, node),
    ...factsOfHeldImages(outlook, node),
    ...factOfAge(late.get(node.name), outlook),
  ];
  const about = { outlook, node, blockers: [] };
  if (before.has(node.object))
    return { ...about, answer: { ...answerOfGroup(node, 'is let go: it is updated as a whole'), reasons: facts } };
  if (before.has(node.name))
    return { ...about, answer: { ...answerOfGroup(node, 'replaces it now: it is let go'), reasons: facts } };
  const reason = next.get(node.name) ?? next.get(node.object);
  if (reason !== undefined) {
    const answer = `is let go next by NodeRolloutPolicy ${outlook.policy}: ${reason}`;
    return { ...about, answer: { answer, reasons: facts } };
  }
  const move = held.get(node.name) ?? held.get(node.object);
  if (move === undefined) {
    const halted = findHaltOfImage(outlook, node);
    const answer =
      halted === undefined
        ? answerOfGroup(node, 'has nothing to change')
        : { answer: `stays, on the image that ${halted} has halted with: nothing moves it until a person leads on` };
    return { ...about, answer: { ...answer, reasons: facts, isAtRest: true } };
  }
  const answer = answerOfHeld(move, { outlook, facts, late: late.get(node.name), now });
  return { ...about, answer, blockers: isKeptByHalt(move) ? [] : move.blockers };
}

/** The rollout that has halted with the image that the node runs. */
function findHaltOfImage({ snapshot, plan }: RolloutOutlook, node: OutlookNode): string | undefined {
  const { rollout: name = '' } = node;
  const rollout = snapshot.rollouts.find(({ metadata }) => metadata.name === name);
  const { halted, endedAt } = plan.statuses.get(name) ?? rollout?.status ?? {};
  const isTarget = rollout?.spec.to.some(({ image }) => image === node.image) === true;
  return isTarget && endedAt === undefined && halted?.variants.includes(node.variant) === true ? name : undefined;
}

/** No node goes to an image that was stopped: until a person leads on, it is where it should be. */
const isKeptByHalt = ({ blockers }: Pick<HeldMove, 'blockers'>): boolean =>
  blockers.some(({ gate }) => gate === 'halt');

type OutlookNode = RolloutOutlook['snapshot']['nodes'][number];

/** Nodes of groups have no NodeClaim that would tell more. */
const answerOfGroup = ({ object }: OutlookNode, standing: string): Pick<GateAnswer, 'answer'> =>
  object.startsWith('NodeGroup/') ? { answer: `is of ${object}, which ${standing}` } : {};

/** Which image the node runs, and which it is to get. */
function factOfImage({ snapshot, plan, policy }: RolloutOutlook, node: OutlookNode): string {
  const source = snapshot.objects.find(({ id }) => id === node.object)?.source ?? '';
  const gate = plan.gates.get(source);
  const named = (images: NonNullable<typeof gate>['baseline'] | undefined) =>
    images?.find(({ variant }) => variant === node.variant);
  const [proven, target] = [named(gate?.baseline), named(gate?.target)];
  const words = [
    ...(proven?.image === node.image ? ['proven'] : []),
    ...(target?.image === node.image ? [`the target of ${gate?.rollout ?? 'a rollout'}`] : []),
  ];
  const release = [proven, target].find((image) => image?.image === node.image)?.release;
  const own = `it runs image ${node.image}${release === undefined ? '' : ` (${release})`}`;
  const standing = words.length === 0 ? 'neither proven nor the target' : words.join(', and ');
  return `${own}, which is ${standing} for ${node.variant} under NodeRolloutPolicy ${policy}`;
}

/** Newer images for the node that the policy does not let in yet. */
function factsOfHeldImages({ snapshot }: RolloutOutlook, node: OutlookNode): readonly string[] {
  const source = snapshot.objects.find(({ id }) => id === node.object)?.source;
  return (snapshot.policy.status?.heldImages ?? [])
    .filter((held) => held.source === source && held.variant === node.variant)
    .map(({ image, reason, because }) => `image ${image} is out and not let in yet, ${reason}: ${because}`);
}

const factOfAge = (late: LateNode | undefined, { policy }: RolloutOutlook): readonly string[] =>
  late === undefined
    ? []
    : [
        `it reaches ${late.endsBy} at ${toTimestamp(late.end)} and goes then whatever else holds it: maxAge of NodeRolloutPolicy ${policy} cannot let it go before, at its pace and in its windows`,
      ];

function answerOfHeld(
  { blockers }: HeldMove,
  {
    outlook,
    facts,
    late,
    now,
  }: {
    readonly outlook: RolloutOutlook;
    readonly facts: readonly string[];
    readonly late: LateNode | undefined;
    readonly now: Instant;
  },
): GateAnswer {
  const gates = [...new Set(blockers.map(({ gate }) => gate))].join(', ');
  const reasons = [...facts, ...blockers.map((blocker) => `gate ${blocker.gate}: ${printMoveBlocker(blocker)}`)];
  if (isKeptByHalt({ blockers }))
    return { answer: `stays on its image: ${outlook.plan.policyStatus.rollout} has halted`, reasons };
  const times = blockers.map(({ until }) => until);
  const earliest = times.every((time) => time !== undefined) ? Math.max(...times) : undefined;
  return {
    answer: `has to move and is not let go now: ${gates}`,
    reasons: [
      ...reasons,
      ...(earliest === undefined ? ['no time can be told: at least one gate waits for something else to happen'] : []),
    ],
    ...(late !== undefined && late.end < (earliest ?? Infinity)
      ? { changesAt: toTimestamp(late.end), change: `it reaches ${late.endsBy} and goes` }
      : earliest === undefined || earliest <= now
        ? {}
        : {
            changesAt: toTimestamp(instant(earliest)),
            change: `NodeRolloutPolicy ${outlook.policy} may let the node go`,
          }),
  };
}

/** What new nodes of a pool get while a policy governs it: a line each. */
export function describePoolGate(outlooks: readonly RolloutOutlook[], { metadata, spec }: NodePool): readonly string[] {
  const outlook = outlooks.find(({ snapshot }) =>
    snapshot.objects.some(({ id }) => id === `NodePool/${metadata.name}`),
  );
  const gate = outlook?.plan.gates.get(`EC2NodeClass/${spec.template.spec.nodeClassRef.name}`);
  if (outlook === undefined || gate === undefined) return [];
  const own = outlook.snapshot.nodes.filter(({ object }) => object === `NodePool/${metadata.name}`);
  const inUse = new Set(own.map(({ variant }) => variant));
  const named = (images: typeof gate.baseline): string =>
    [
      ...new Set(
        images
          .filter(({ variant }) => inUse.size === 0 || inUse.has(variant))
          .map(({ release, image }) => (release === undefined ? image : `${release} (${image})`)),
      ),
    ]
      .toSorted(byText)
      .join(', ');
  const held = outlook.plan.held.filter(({ node }) => own.some(({ name }) => name === node)).length;
  const launches = gate.stage === 'lastWave' && gate.halted.length === 0 ? gate.target : gate.baseline;
  return [
    `NodeRolloutPolicy ${outlook.policy} governs it: ordinary launches get ${named(launches)}`,
    ...(gate.rollout === undefined
      ? []
      : [
          gate.halted.length > 0
            ? `${gate.rollout} led its nodes to ${named(gate.target)} and has halted: ${held} of ${own.length} stay on their image`
            : `${gate.rollout} leads its nodes to ${named(gate.target)}: ${held} of ${own.length} wait to be let go`,
        ]),
  ];
}
