import { RunInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { anAwsAccount } from '@nodewright/testkit/worlds';
import { instant, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';

const never = new AbortController().signal;
const standard = 'Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances';
const kinds = [
  { instanceType: 'm5.large', capacityType: 'on-demand' },
  { instanceType: 'c5.xlarge', capacityType: 'on-demand' },
  { instanceType: 'm5.large', capacityType: 'spot' },
  { instanceType: 'm5.large', capacityType: 'reserved' },
] as const;

async function anAccountWithLimits() {
  const { time, aws, clients: connect, cloudWith } = anAwsAccount({ zones: 1 });
  await aws.load();
  const clients = connect();
  const { quotas } = cloudWith({ clients });
  const send = <T>(work: (options: object) => Promise<T>): Promise<T> =>
    time.finish(time.gate.call((ticket) => work({ ticket })));
  return {
    aws,
    readRooms: () => time.finish(quotas.roomFor(kinds, never)),
    pass: (ms: number) => time.run(instant(time.clock.now() + ms)),
    launch: async (count: number) => {
      const ImageId = builtInReleases()
        .of('1.28')
        .find(({ arch }) => arch === 'amd64')?.imageId;
      const input = { ImageId, InstanceType: 'm5.xlarge', MinCount: count, MaxCount: count } as const;
      const { Instances = [] } = await send((options) => clients.ec2.send(new RunInstancesCommand(input), options));
      return Instances.flatMap(({ InstanceId = [] }) => InstanceId);
    },
    end: (InstanceIds: string[]) =>
      send((options) => clients.ec2.send(new TerminateInstancesCommand({ InstanceIds }), options)),
  };
}

test('each limit comes once, less what runs in the account, and anew every minute', async () => {
  const { aws, readRooms, pass, launch, end } = await anAccountWithLimits();
  aws.faults.add({ kind: 'vcpu-quota', vcpus: 32 });
  const ids = await launch(3);
  const freeOf = async () => (await readRooms()).map(({ code, free }) => [code, free]);
  expect(await readRooms()).toEqual([
    { code: 'L-1216C47A', name: standard, limit: 32, free: 20, counted: kinds.slice(0, 2) },
    expect.objectContaining({ code: 'L-34B43A08', limit: 32, free: 32, counted: [kinds[2]] }),
  ]);
  await end(ids);
  await pass(minutes(2));
  expect(await freeOf()).toEqual([
    ['L-1216C47A', 32],
    ['L-34B43A08', 32],
  ]);
});

test('who may not read limits gets an error', async () => {
  const { aws, readRooms } = await anAccountWithLimits();
  aws.faults.add({ kind: 'refusal', service: 'servicequotas', code: 'AccessDeniedException', message: 'no' });
  await expect(readRooms()).rejects.toThrow('no');
});
