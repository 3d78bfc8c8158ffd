import { ec2NodeClasses, type Instant, nodeClaims } from '@nodewright/apis';
import { type ClusterReading, readClusterState, readImageGates, readImageRules } from '@nodewright/operator';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { readSchedulingSettings } from '../../controller/scheduling-settings.ts';
import { explainBudget } from './explain-budget.ts';
import { explainNodeClass } from './explain-node-class.ts';
import { explainNodePool } from './explain-node-pool.ts';
import { explainNode } from './explain-node.ts';
import { explainPod } from './explain-pod.ts';
import { type Explanation, findNamed, printExplanation } from './explanation.ts';
import { describeGates } from './rollout-gates.ts';
import { describeRolloutOfNode, readRolloutObjects, type RolloutObjects } from './rollout-facts.ts';
import { nodeClassReport } from '../images/node-class-report.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { type ReadableWorld, withWorld } from '../../reading/read-world.ts';
import type { ExplainFlags, ExplainPodFlags } from './flags.ts';

export async function explainNodeCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => {
    const reading = await readForExplain(world, flags);
    const explanation = explainNode(name, reading, world.now);
    const rollouts = await readRolloutObjects(world.client);
    const reasons = rolloutReasons(explanation, { reading, rollouts, now: world.now });
    return withGates({ ...explanation, reasons: [...explanation.reasons, ...reasons] }, reading, world.now);
  });
}

/** A node that has to move for a policy is not said to stay; one that is going already goes. */
function withGates(explanation: Explanation, reading: ClusterReading, now: Instant): Explanation {
  const { name } = explanation.subject;
  const claim = reading.nodeClaims.find(({ metadata, status }) => [metadata.name, status?.nodeName].includes(name));
  const gates = describeGates(reading.rollouts, [name, claim?.metadata.name ?? name], now);
  if (gates === undefined) return explanation;
  const reasons = [...explanation.reasons, ...gates.reasons];
  const isSettled = /^(stays|is left alone|does not work)/.test(explanation.answer);
  if (!isSettled || gates.answer === undefined) return { ...explanation, reasons };
  const trouble = explanation.answer.startsWith('does not work') ? [explanation.answer] : [];
  const { changesAt: _, change: __, ...rest } = explanation;
  const { reasons: ___, ...answer } = gates;
  return { ...rest, ...answer, reasons: [...trouble, ...reasons] };
}

type RolloutReading = { readonly reading: ClusterReading; readonly rollouts: RolloutObjects; readonly now: Instant };

function rolloutReasons({ subject }: Explanation, { reading, rollouts, now }: RolloutReading): readonly string[] {
  const claim = reading.nodeClaims.find(
    ({ metadata, status }) => metadata.name === subject.name || status?.nodeName === subject.name,
  );
  if (claim === undefined) return [];
  const nodeName = claim.status?.nodeName ?? claim.metadata.name;
  return describeRolloutOfNode(claim, { nodePools: reading.nodePools, nodeName, now }, rollouts);
}

export async function explainNodePoolCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => explainNodePool(name, await readForExplain(world, flags), world.now));
}

export async function explainBudgetCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => explainBudget(name, await readForExplain(world, flags), world.now));
}

export async function explainPodCommand(this: CliContext, flags: ExplainPodFlags, text: string): Promise<void> {
  const key = parsePodName(text, flags.namespace);
  await explainWith(this, flags, async (world) => explainPod(key, await readForExplain(world, flags), world.now));
}

/** @throws InputError for what is no `name` or `namespace/name`, and for two namespaces */
export function parsePodName(
  text: string,
  namespace: string | undefined,
): { readonly name: string; readonly namespace: string } {
  const [, own, name = ''] = /^(?:([^/]+)\/)?([^/]+)$/.exec(text) ?? [];
  if (name === '') throw new InputError(`a pod must be named as name or namespace/name, not "${text}"`);
  if (own !== undefined && namespace !== undefined && own !== namespace)
    throw new InputError(`--namespace: is ${namespace}, and the name says ${own}; give one of them`);
  return { name, namespace: own ?? namespace ?? 'default' };
}

export async function explainNodeClassCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => {
    const { client } = world;
    const nodeClass = findNamed('EC2NodeClass', (await client.list(ec2NodeClasses)).items, name);
    const claims = (await client.list(nodeClaims)).items;
    const gates = await readImageGates(client, world.now);
    const sources = { ...world, rules: await readImageRules(client), gateOf: gates };
    return explainNodeClass(nodeClass, await nodeClassReport(nodeClass, sources, claims));
  });
}

/** As controllers decide that are configured so. */
const readForExplain = (world: ReadableWorld, flags: ExplainFlags): Promise<ClusterReading> =>
  readClusterState({ ...world, ...readSchedulingSettings(flags, process.env) }, new AbortController().signal);

async function explainWith(
  context: CliContext,
  flags: ExplainFlags,
  answer: (world: ReadableWorld) => Promise<Explanation>,
): Promise<void> {
  const explanation = await withWorld(flags, answer);
  const object = { kind: 'Explanation', ...explanation };
  writeAnswer(context, flags.output, { object, text: printExplanation(explanation) });
}
