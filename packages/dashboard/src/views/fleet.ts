import { byTextOf, conditionOf, kubernetesLabels, type Node, readOwn } from '@nodewright/apis';
import { nodeLabelsOf, nodeNameOf, type NodeState } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { GroupedNode } from '../explain/group-node.ts';
import type { NodeJudgement } from '../explain/node-judgement.ts';
import type { NodeJudges } from '../explain/node-judges.ts';
import { chooseGateAnswer, type GovernedNode } from '../explain/rollout-gates.ts';
import type { ImageReport } from '../images/image-report.ts';
import type { NodeRow, NodeStage } from '../rows/dashboard-rows.ts';
import { nameGroupOfNode, readCapacityType } from './node-group.ts';
import { createPriceReader, readRequestedShares, type PriceReader } from '../explain/node-amounts.ts';

/** A row for each node, and for each NodeClaim without one. By id. */
export function viewFleet(
  { disruption }: Pick<ClusterReading, 'disruption'>,
  reports: readonly ImageReport[],
  judges: NodeJudges,
): readonly NodeRow[] {
  const sources = { judges, priceOf: createPriceReader(disruption), releases: releasesById(reports) };
  return disruption.nodes.map((state) => viewNode(state, sources)).toSorted(byTextOf(({ id }) => id));
}

type FleetSources = {
  readonly judges: NodeJudges;
  readonly priceOf: PriceReader;
  readonly releases: ReadonlyMap<string, string>;
};

const releasesById = (reports: readonly ImageReport[]): ReadonlyMap<string, string> =>
  new Map(
    reports.flatMap(({ images }) =>
      images.flatMap(({ id, release }) => (release === undefined ? [] : [[id, release] as const])),
    ),
  );

function viewNode(state: NodeState, { judges, priceOf, releases }: FleetSources): NodeRow {
  const { node, nodeClaim } = state;
  const name = nodeNameOf(state);
  const labels = nodeLabelsOf(state);
  const { judgement, governed } = judges(state);
  const image =
    governed?.node.image ?? nodeClaim?.status?.imageID ?? readOwn(labels, 'eks.amazonaws.com/nodegroup-image');
  const drift = nodeClaim === undefined ? undefined : conditionOf(nodeClaim, 'Drifted');
  return {
    id: name,
    group: governed?.node.object ?? nameGroupOfNode(state, judgement),
    ...listPresent({
      zone: readOwn(labels, kubernetesLabels.zone),
      instanceType: readOwn(labels, kubernetesLabels.instanceType),
      capacityType: readCapacityType(state),
      image,
      release: releases.get(image ?? '') ?? releaseOfGovernedNode(governed),
      kubeletVersion: node?.status?.nodeInfo?.kubeletVersion,
      createdAt: (nodeClaim ?? node)?.metadata.creationTimestamp,
      microUsdPerHour: priceOf(state),
      ...(governed === undefined
        ? {}
        : { governed: { policy: governed.outlook.policy, image: standingOfNodeImage(governed) } }),
      ...(drift?.status === 'True' ? { drift: describeDriftOf(drift) } : {}),
    }),
    stage: stageOfNode(node, judgement, governed),
    answer: answerOfNode(judgement, governed),
    ...readRequestedShares(state),
    explain: `node/${name}`,
  };
}

/** Without the members that are undefined. */
function listPresent<T extends object>(record: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

const describeDriftOf = ({
  reason = 'Drifted',
  lastTransitionTime,
}: {
  readonly reason?: string;
  readonly lastTransitionTime?: string;
}) => ({
  reason,
  ...(lastTransitionTime === undefined ? {} : { since: lastTransitionTime }),
});

function imagesOfGovernedNode({ outlook, node }: GovernedNode) {
  const source = outlook.snapshot.objects.find(({ id }) => id === node.object)?.source ?? '';
  const gate = outlook.plan.gates.get(source);
  const isOfVariant = ({ variant }: { readonly variant: string }): boolean => variant === node.variant;
  return { proven: gate?.baseline.find(isOfVariant), target: gate?.target.find(isOfVariant) };
}

/** Where the target is the proven image, no rollout is under way: it counts as proven. */
function standingOfNodeImage(governed: GovernedNode): 'target' | 'proven' | 'other' {
  const { proven, target } = imagesOfGovernedNode(governed);
  if (proven?.image === governed.node.image) return 'proven';
  return target?.image === governed.node.image ? 'target' : 'other';
}

function releaseOfGovernedNode(governed: GovernedNode | undefined): string | undefined {
  if (governed === undefined) return undefined;
  const { proven, target } = imagesOfGovernedNode(governed);
  return [proven, target].find((image) => image?.image === governed.node.image)?.release;
}

const settledKinds: ReadonlySet<NodeJudgement['kind']> = new Set(['stays', 'starting', 'troubled', 'unmanaged']);

/** As `explain node` answers: the gates of a policy come before what a settled node would be told. */
function answerOfNode({ kind, answer }: NodeJudgement, governed: GovernedNode | undefined): string {
  return settledKinds.has(kind) && governed !== undefined ? chooseGateAnswer(answer, governed.answer) : answer;
}

function stageOfNode(node: Node | undefined, judgement: NodeJudgement, governed: GovernedNode | undefined): NodeStage {
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  switch (judgement.kind) {
    case 'leaving':
      return 'leaving';
    case 'held':
    case 'next':
    case 'unforeseen':
    case 'replacing':
      return 'toMove';
    case 'starting':
      return 'starting';
    case 'troubled':
      return node !== undefined && ready === undefined ? 'starting' : 'troubled';
    case 'unmanaged':
      if (ready !== 'True') return 'troubled';
      return governed === undefined ? stageOfGroupedNode(judgement.grouped) : stageOfGovernedNode(governed);
    case 'stays':
      return governed === undefined ? 'ready' : stageOfGovernedNode(governed);
  }
}

function stageOfGroupedNode(grouped: GroupedNode | undefined): NodeStage {
  switch (grouped?.standing) {
    case 'leaving':
      return 'leaving';
    case 'outdated':
      return 'toMove';
    case 'current':
      return 'ready';
    case undefined:
      return 'unmanaged';
  }
}

const stageOfGovernedNode = ({ blockers }: GovernedNode): NodeStage => (blockers.length > 0 ? 'toMove' : 'ready');
