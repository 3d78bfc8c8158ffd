import { instant, nodeClaims, nodePools, nodes, type ResourceType } from '@nodewright/apis';
import type { Fault } from '@nodewright/aws-endpoints';
import type { ForceWorld } from './force-world.ts';

const second = 1_000;

const faults: readonly Fault[] = [
  { kind: 'throttle', times: 20 },
  { kind: 'throttle', operation: 'CreateFleet' },
  { kind: 'refusal', operation: 'DescribeInstances', code: 'InternalError' },
  { kind: 'insufficient-capacity' },
  { kind: 'insufficient-capacity', zone: 'us-east-1a' },
  { kind: 'launch-failure', code: 'InvalidLaunchTemplateName.NotFoundException' },
  { kind: 'stale-describes', lagMs: 20_000 },
  { kind: 'deny', operation: 'CreateLaunchTemplate' },
];

const touched: readonly ResourceType[] = [nodeClaims, nodes, nodePools];

/** AWS has one trouble after the other, and another client writes to the same objects, until the end of the story. */
export function stir({ sandbox, client, time: { clock }, random }: ForceWorld): { end(): void } {
  const dice = random.fork('turmoil');
  let isOver = false;
  const later = (ms: number, work: () => void): void =>
    void clock.at(instant(clock.now() + ms), () => {
      if (!isOver) work();
    });
  const trouble = (): void => {
    const { id } = sandbox.aws.faults.add(dice.pick(faults));
    later(10 * second + dice.integer(50 * second), () => sandbox.aws.faults.clear(id));
    later(20 * second + dice.integer(100 * second), trouble);
  };
  const touch = (): void => {
    later(second + dice.integer(8 * second), touch);
    void touchOne(dice.pick(touched));
  };
  const touchOne = async (type: ResourceType): Promise<void> => {
    const { items } = await client.list(type);
    if (items.length === 0) return;
    const { name } = dice.pick(items).metadata;
    const annotations = { 'example.com/touched': String(clock.now()) };
    // It may be gone by now.
    await client.patch(type, { name }, { type: 'merge', patch: { metadata: { annotations } } }).catch(() => undefined);
  };
  trouble();
  touch();
  return {
    end() {
      isOver = true;
      sandbox.aws.faults.clear();
    },
  };
}
