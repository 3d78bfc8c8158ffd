import { type NodeGroup, nodeGroups, nodewrightAnnotations } from '@nodewright/apis';
import { failureWords } from '@nodewright/operator';
import { ApiError, realTime } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError, TimedOutError } from '../../terminal/exit-status.ts';
import { followUpgrade } from './follow-upgrade.ts';
import { namedGroup } from './named-group.ts';
import { printStatus, troubleOf } from './print-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { type ReadableWorld, withWorld } from '../../reading/read-world.ts';
import type { NodeGroupUpgradeFlags } from './flags.ts';

export async function upgradeNodeGroup(this: CliContext, flags: NodeGroupUpgradeFlags, name: string): Promise<void> {
  const tell = (line: string): void => this.process.stderr.write(`${line}\n`);
  const { nodeGroup, end } = await withWorld(flags, async (world) => {
    const asked = await request(world, await namedGroup(world, name, flags.image));
    if (!flags.wait) return { nodeGroup: asked, end: { kind: 'asked' as const } };
    return followUpgrade(world, asked, { clock: realTime().clock, timeoutMs: flags.timeout, tell });
  });
  const { metadata, status } = nodeGroup;
  const object = {
    kind: 'NodeGroupUpgrade',
    name: metadata.name,
    outcome: end.kind,
    ...(status?.reason === undefined || end.kind === 'asked' ? {} : { reason: status.reason }),
    blockedBy: end.kind === 'blocked' ? (status?.blockedBy ?? []) : [],
  };
  const asked = `asked for an update of NodeGroup ${metadata.name}; \`nodewright nodegroup status ${metadata.name}\` shows how far it is`;
  writeAnswer(this, flags.output, { object, text: end.kind === 'asked' ? asked : printStatus(nodeGroup, []) });
  const reason = status?.reason ?? 'no controller has looked at it';
  if (end.kind === 'blocked') {
    throw new NotNowError(`the update is blocked: ${reason}; it begins by itself once nothing is in its way`);
  }
  if (end.kind === 'deleted') throw new Error(`NodeGroup ${metadata.name} was deleted meanwhile`);
  if (end.kind === 'failed') throw new Error(`the update failed: ${lastWords(nodeGroup) ?? reason}`);
  if (end.kind === 'timedOut') throw new TimedOutError(`--timeout ran out: ${troubleOf(nodeGroup)[0] ?? reason}`);
}

const lastWords = ({ status }: NodeGroup): string | undefined => {
  const [last] = status?.history ?? [];
  return last === undefined ? undefined : failureWords(last);
};

/** A person may write any other text. */
const numberOfRequest = (request = ''): number => Number(/^(\d{1,9})\//.exec(request)?.[1] ?? 0);

/** Stores the NodeGroup if it is new, and asks for an update. */
async function request({ client, now }: ReadableWorld, nodeGroup: NodeGroup): Promise<NodeGroup> {
  const { metadata } = nodeGroup;
  const before = metadata.annotations?.[nodewrightAnnotations.upgradeRequest];
  const annotations = {
    ...metadata.annotations,
    [nodewrightAnnotations.upgradeRequest]: `${numberOfRequest(before) + 1}/${new Date(now).toISOString()}`,
  };
  try {
    if (metadata.uid === undefined) {
      return await client.create(nodeGroups, { ...nodeGroup, metadata: { ...metadata, annotations } });
    }
    const patch = { metadata: { annotations } };
    return await client.patch(nodeGroups, { name: metadata.name }, { type: 'merge', patch });
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 404) throw failure;
    throw new InputError('the cluster has no NodeGroups: `nodewright crds | kubectl apply -f -` installs them', {
      cause: failure,
    });
  }
}
