import { instant, millisOf, quantityUnits } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { BootedMachine, MachineShape } from '@nodewright/aws-endpoints';
import { nodeResources } from './capacity.ts';
import type { Bootstrap } from './user-data/bootstrap.ts';

const m6gXlarge: MachineShape = {
  instanceType: 'm6g.xlarge',
  vcpus: 4,
  memoryMib: 16_384,
  arch: 'arm64',
  maxPods: 58,
  branchInterfaces: 18,
  volumes: 26,
};

const machineOf = (shape: MachineShape): BootedMachine => ({
  instanceId: 'i-0caeae25f3db6f37c',
  providerId: 'aws:///us-east-1b/i-0caeae25f3db6f37c',
  zone: 'us-east-1b',
  zoneId: 'use1-az2',
  region: 'us-east-1',
  privateIp: '192.168.40.30',
  privateDnsName: 'ip-192-168-40-30.ec2.internal',
  imageId: 'ami-1',
  behaviors: [],
  shape,
  volumeGib: 20,
  userData: '',
  launchedAt: instant(0),
});

const plain: Bootstrap = { clusterName: 'sandbox', labels: {}, taints: [] };

test('an m6g.xlarge leaves for pods what its claim announces', () => {
  const { allocatable } = nodeResources(machineOf(m6gXlarge), plain);
  expect(millisOf(allocatable['cpu'] ?? 0)).toBe(3920);
  expect(quantityUnits(allocatable['memory'] ?? 0)).toBe(14_103 * 2 ** 20);
  expect(allocatable['pods']).toBe('58');
});

for (const { vcpus, reserved } of [
  { vcpus: 1, reserved: 60 },
  { vcpus: 2, reserved: 70 },
  { vcpus: 4, reserved: 80 },
  { vcpus: 8, reserved: 90 },
  { vcpus: 96, reserved: 310 },
]) {
  test(`${vcpus} cores keep ${reserved}m for the system`, () => {
    const { allocatable } = nodeResources(machineOf({ ...m6gXlarge, vcpus }), plain);
    expect(vcpus * 1000 - millisOf(allocatable['cpu'] ?? 0)).toBe(reserved);
  });
}

test('reservations of the user data take the place of the usual ones', () => {
  const { capacity, allocatable } = nodeResources(machineOf(m6gXlarge), {
    ...plain,
    kubeReserved: { cpu: '500m', memory: '1Gi' },
    systemReserved: { memory: '100Mi' },
    evictionHard: { 'memory.available': '100%' },
  });
  expect(allocatable['cpu']).toBe('3500m');
  expect(quantityUnits(capacity['memory'] ?? 0) - quantityUnits(allocatable['memory'] ?? 0)).toBe(
    (1024 + 100) * 2 ** 20,
  );
});

test('huge pages are for the pods that ask for them, and no memory for others', () => {
  const without = nodeResources(machineOf(m6gXlarge), plain);
  const { capacity, allocatable } = nodeResources(machineOf(m6gXlarge), { ...plain, hugePages: 2048 });
  expect([capacity['hugepages-2Mi'], allocatable['hugepages-2Mi']]).toEqual(['4096Mi', '4096Mi']);
  expect(capacity['memory']).toBe(without.capacity['memory']);
  const [before = 0, after = 0] = [without, { allocatable }].map((each) =>
    quantityUnits(each.allocatable['memory'] ?? 0),
  );
  expect(before - after).toBe(4 * 2 ** 30);
});

test('no more huge pages are set aside than a machine has memory', () => {
  const { capacity, allocatable } = nodeResources(machineOf(m6gXlarge), { ...plain, hugePages: 1_000_000 });
  expect(quantityUnits(capacity['hugepages-2Mi'] ?? 0)).toBeLessThanOrEqual(quantityUnits(capacity['memory'] ?? 0));
  expect(allocatable['memory']).toBe('0Ki');
});

test('an image that misses its GPUs announces none', () => {
  const machine = machineOf({ ...m6gXlarge, devices: { 'nvidia.com/gpu': 4 } });
  expect(nodeResources(machine, plain).allocatable['nvidia.com/gpu']).toBe('4');
  expect(
    nodeResources({ ...machine, behaviors: [{ behavior: 'gpuMissing' }] }, plain).allocatable['nvidia.com/gpu'],
  ).toBeUndefined();
});

test.each<[fact: string, shape: MachineShape, bootstrap: Bootstrap, gigabytes: number]>([
  ['the local disks that are made one array', { ...m6gXlarge, instanceStoreGb: 950 }, usesDisks(), 950],
  ['the root volume where the local disks are left alone', { ...m6gXlarge, instanceStoreGb: 950 }, plain, 21],
  ['the root volume where there are no local disks', m6gXlarge, usesDisks(), 21],
])('pods have the room of %s', (_, shape, bootstrap, gigabytes) => {
  const { capacity } = nodeResources(machineOf(shape), bootstrap);
  expect(Math.round(quantityUnits(capacity['ephemeral-storage'] ?? 0) / 1e9)).toBe(gigabytes);
});

function usesDisks(): Bootstrap {
  return { ...plain, usesInstanceStore: true };
}
