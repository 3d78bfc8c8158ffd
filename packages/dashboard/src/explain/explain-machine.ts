import type { Instant } from '@nodewright/apis';
import { nodeLabelsOf } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { Explanation } from '../rows/dashboard-rows.ts';
import type { UnkeptGroup } from './foreign-node.ts';
import { explainNode } from './explain-node.ts';
import { findGroupOfNode } from './group-node.ts';
import { describeRolloutOfNode } from './rollout-facts.ts';
import { chooseGateAnswer, describeGates } from './rollout-gates.ts';

/** `unkeptGroup` is the Auto Scaling group of a node that nothing in the cluster tells of, where AWS was asked. */
export type MachineReading = ClusterReading & { readonly unkeptGroup?: UnkeptGroup };

/**
 * Why a node is, or is not, being replaced, with what rollouts, policies and pauses say of it.
 * @param name of the Node or of its NodeClaim
 * @throws NoSuchObjectError when the reading has neither
 */
export function explainMachine(name: string, reading: MachineReading, now: Instant): Explanation {
  const explanation = explainNode(name, reading, now);
  const reasons = describeRollouts(explanation, reading, now);
  return withGates({ ...explanation, reasons: [...explanation.reasons, ...reasons] }, reading, now);
}

function describeRollouts({ subject }: Explanation, reading: ClusterReading, now: Instant): readonly string[] {
  const { nodeClaims, nodePools, rolloutObjects } = reading;
  const claim = nodeClaims.find(
    ({ metadata, status }) => metadata.name === subject.name || status?.nodeName === subject.name,
  );
  if (claim === undefined) return [];
  const nodeName = claim.status?.nodeName ?? claim.metadata.name;
  return describeRolloutOfNode(claim, { nodePools, nodeName, now }, rolloutObjects);
}

/** A node that has to move for a policy is not said to stay; one that is going already goes. */
function withGates(explanation: Explanation, reading: ClusterReading, now: Instant): Explanation {
  const { name } = explanation.subject;
  const claim = reading.nodeClaims.find(({ metadata, status }) => [metadata.name, status?.nodeName].includes(name));
  const gates = describeGates(reading.rollouts, [name, claim?.metadata.name ?? name], now);
  if (gates === undefined) return explanation;
  const reasons = [...explanation.reasons, ...gates.reasons];
  const isSettled = /^(stays|is starting|is left alone|is of NodeGroup|does not work)/.test(explanation.answer);
  if (!isSettled || gates.answer === undefined) return { ...explanation, reasons };
  if (chooseGateAnswer(explanation.answer, gates) === explanation.answer)
    return { ...explanation, reasons: [...reasons, `it ${gates.answer}`] };
  const trouble = explanation.answer.startsWith('does not work') ? [explanation.answer] : [];
  const { changesAt: _, change: __, ...rest } = explanation;
  const { reasons: ___, isAtRest: ____, ...answer } = gates;
  return { ...rest, ...answer, reasons: [...trouble, ...reasons] };
}

/** The EC2 instance of a node that neither a NodeClaim, nor a NodeGroup, nor a label of EKS says anything of. */
export function findForeignInstance(
  name: string,
  { disruption, nodeGroups }: Pick<ClusterReading, 'disruption' | 'nodeGroups'>,
): string | undefined {
  const state = disruption.nodes.find(({ node, nodeClaim }) => nodeClaim === undefined && node?.metadata.name === name);
  if (state === undefined || findGroupOfNode(state, nodeGroups) !== undefined) return undefined;
  const isOfEks = Object.keys(nodeLabelsOf(state)).some((label) => foreignLabels.has(label));
  const instance = state.node?.spec?.providerID?.split('/').at(-1) ?? '';
  return !isOfEks && instance.startsWith('i-') ? instance : undefined;
}

const foreignLabels: ReadonlySet<string> = new Set(['eks.amazonaws.com/nodegroup', 'eks.amazonaws.com/compute-type']);
