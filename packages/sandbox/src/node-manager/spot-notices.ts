import { instant, seconds } from '@nodewright/apis';
import type { AutoScalingGroupRecord } from '@nodewright/aws-endpoints';
import type { Recheck } from '@nodewright/cluster-sim';
import { requestEviction } from './evict.ts';
import type { GroupManager } from './manager.ts';
import { nodeOfInstance, podsToEvict } from './observe.ts';
import { setUnschedulable } from './update-mark.ts';

const noticeRetryMs = seconds(15);

/** Nodes whose spot instance ends within two minutes are drained at once, as far as that is possible. */
export async function answerNotices(
  { nodeGroups, watches, client, clock }: GroupManager,
  scaling: AutoScalingGroupRecord,
): Promise<Recheck> {
  const { faults, access } = nodeGroups.deps;
  const noticed = faults.find('spot-interruption').map(({ instanceId }) => instanceId);
  const concerned = scaling.instances.filter(({ id }) => noticed.includes(id));
  if (concerned.length === 0 || access() !== 'granted') return undefined;
  for (const { id } of concerned) {
    const node = nodeOfInstance(watches, id);
    if (node === undefined) continue;
    if (node.spec?.unschedulable !== true) await setUnschedulable(client, node.metadata.name, true);
    for (const { metadata } of podsToEvict(watches, node.metadata.name)) {
      if (metadata.deletionTimestamp !== undefined) continue;
      await requestEviction(client, { namespace: metadata.namespace ?? '', name: metadata.name });
    }
  }
  return instant(clock.now() + noticeRetryMs);
}
