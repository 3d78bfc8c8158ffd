import { ec2NodeClasses, nodeClaims } from '@nodewright/apis';
import {
  explainBudget,
  explainMachine,
  explainNodeClass,
  explainNodeGroup,
  explainNodePool,
  explainPod,
  explainRollout,
  findForeignInstance,
  findNamed,
  NoSuchObjectError,
  printExplanation,
} from '@nodewright/dashboard';
import type { Explanation } from '@nodewright/dashboard/rows';
import { type ClusterReading, readClusterState, readImageGates, readImageRules } from '@nodewright/operator';
import { readSchedulingSettings } from '../../controller/scheduling-settings.ts';
import { type ReadableWorld, withWorld } from '../../reading/read-world.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { nodeClassReport } from '../images/node-class-report.ts';
import { findGroupOfInstance } from './group-of-instance.ts';
import type { ExplainFlags, ExplainPodFlags } from './flags.ts';

export async function explainNodeCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => {
    const reading = await readForExplain(world, flags);
    const instance = findForeignInstance(name, reading);
    const unkeptGroup = instance === undefined ? undefined : await findGroupOfInstance(world.cloud, instance);
    return explainMachine(name, { ...reading, ...(unkeptGroup === undefined ? {} : { unkeptGroup }) }, world.now);
  });
}

export async function explainNodePoolCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => explainNodePool(name, await readForExplain(world, flags), world.now));
}

export async function explainBudgetCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => explainBudget(name, await readForExplain(world, flags), world.now));
}

export async function explainRolloutCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => explainRollout(name, await readForExplain(world, flags), world.now));
}

export async function explainNodeGroupCommand(this: CliContext, flags: ExplainFlags, name: string): Promise<void> {
  await explainWith(this, flags, async (world) => explainNodeGroup(name, await readForExplain(world, flags)));
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
  const explanation = await withWorld(flags, answer).catch(refuseUnknownName);
  const object = { kind: 'Explanation', ...explanation };
  writeAnswer(context, flags.output, { object, text: printExplanation(explanation) });
}

function refuseUnknownName(failure: unknown): never {
  if (failure instanceof NoSuchObjectError) throw new InputError(failure.message, { cause: failure });
  throw failure;
}
