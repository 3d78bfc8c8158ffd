import { expect, test } from 'vitest';
import { parseFault } from './fault-input.ts';
import type { Fault } from './fault.ts';
import { Faults } from './faults.ts';

for (const { fault, wanted, lacks } of [
  { fault: {}, wanted: { instanceType: 'm5.large', zone: 'us-east-1a' }, lacks: true },
  { fault: { instanceType: 'm5.large' }, wanted: { instanceType: 'm5.large', zone: 'us-east-1a' }, lacks: true },
  { fault: { instanceType: 'm5.large' }, wanted: { instanceType: 'm5.xlarge', zone: 'us-east-1a' }, lacks: false },
  { fault: { zone: 'us-east-1b' }, wanted: { instanceType: 'm5.large', zone: 'us-east-1a' }, lacks: false },
  { fault: { capacityType: 'on-demand' }, wanted: { instanceType: 'm5.large', zone: 'us-east-1a' }, lacks: false },
] as const) {
  test(`with no capacity for ${JSON.stringify(fault)}, spot ${JSON.stringify(wanted)} is ${lacks ? 'refused' : 'had'}`, () => {
    const faults = new Faults();
    faults.add({ kind: 'insufficient-capacity', ...fault });
    expect(faults.lacksCapacity({ ...wanted, capacityType: 'spot' })).toBe(lacks);
  });
}

test('a node that is launched behaves in all ways that faults say, and a running one in its own', () => {
  const faults = new Faults();
  faults.add({ kind: 'node-behavior', behavior: 'joinsLate' });
  faults.add({ kind: 'node-behavior', behavior: 'containersFail', pods: { app: 'web' }, zone: 'us-east-1a' });
  faults.add({ kind: 'node-behavior', behavior: 'notReady', instanceId: 'i-0123456789abcdef0' });
  const late = { behavior: 'joinsLate' };
  const place = { instanceType: 'm5.large', capacityType: 'spot' } as const;
  expect(faults.behaviorsOf({ ...place, zone: 'us-east-1b' })).toEqual([late]);
  expect(faults.behaviorsOf({ ...place, zone: 'us-east-1a' })).toEqual([
    late,
    { behavior: 'containersFail', pods: { app: 'web' } },
  ]);
  expect(faults.behaviorsImposedOn('i-0123456789abcdef0')).toEqual([{ behavior: 'notReady' }]);
});

test('a fault ends when it is cleared, and the others stay', () => {
  const faults = new Faults();
  const first = faults.add({ kind: 'throttle', service: 'ec2' });
  faults.add({ kind: 'latency', delayMs: 20 });
  faults.clear(first.id);
  expect(faults.throttles({ service: 'ec2', operation: 'CreateFleet' })).toBe(false);
  expect(faults.delayMs({ service: 'ec2', operation: 'CreateFleet' })).toBe(20);
});

for (const fault of [
  { kind: 'throttle', service: 'ec2', operation: 'CreateFleet', times: 3 },
  { kind: 'latency', delayMs: 200 },
  { kind: 'insufficient-capacity', instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot' },
  { kind: 'vcpu-quota', vcpus: 16 },
  { kind: 'no-addresses', subnet: 'subnet-1' },
  { kind: 'deny', service: 'eks', operation: 'UpdateNodegroupVersion' },
  { kind: 'cluster-unreachable' },
  { kind: 'node-group-issue', code: 'IamThrottling', nodegroup: 'default', message: 'slow down' },
  { kind: 'insight', category: 'UPGRADE_READINESS', status: 'ERROR' },
  { kind: 'refusal', operation: 'CreateFleet', code: 'UnauthorizedOperation', message: 'no', times: 1 },
  { kind: 'launch-failure', code: 'VcpuLimitExceeded', capacityType: 'on-demand' },
  { kind: 'stale-describes', lagMs: 30_000 },
  { kind: 'spot-interruption', instanceId: 'i-0123456789abcdef0', noticeMs: 1 },
  { kind: 'node-behavior', behavior: 'neverJoins', zone: 'us-east-1a' },
  { kind: 'node-behavior', behavior: 'containersFail', pods: { app: 'web' } },
] satisfies readonly Fault[]) {
  test(`a fault of the kind ${fault.kind} is read as it is written`, () => {
    expect(parseFault(fault)).toEqual(fault);
  });
}

for (const { json, message } of [
  {
    json: {},
    message: 'kind is missing, wanted one of throttle, refusal, latency, ',
  },
  {
    json: { kind: 'refusal', code: 'not authorized' },
    message: 'code is "not authorized", wanted an error code of AWS such as UnauthorizedOperation',
  },
  {
    json: { kind: 'node-behavior', behavior: 'sulks', instanceId: 'ip-10-0-0-1' },
    message:
      'behavior is "sulks", wanted one of healthy, neverJoins, joinsLate, stopsRenewing, notReady, containersFail, gpuMissing; instanceId is "ip-10-0-0-1", wanted the id of an instance, i-0123456789abcdef0',
  },
  {
    json: { kind: 'node-behavior', behavior: 'notReady', pods: { app: 'web' } },
    message: 'pods is for the behavior containersFail alone, and the behavior is "notReady"',
  },
  {
    json: { kind: 'node-behavior', behavior: 'containersFail', pods: { version: 2 } },
    message: 'pods is {"version":2}, wanted labels of pods such as {"app":"web"}',
  },
  { json: { kind: 'latency' }, message: 'delayMs is missing, wanted a whole number above 0' },
  {
    json: { kind: 'throttle', times: 0, zone: 'a' },
    message:
      'times is 0, wanted a whole number above 0; zone is no field of throttle, which has service, operation, times',
  },
  { json: { kind: 'node-group-issue', code: 'Unheard' }, message: 'code is "Unheard", wanted one of AccessDenied, ' },
  { json: { kind: 'cluster-unreachable', zone: 'a' }, message: 'zone is no field of cluster-unreachable' },
]) {
  test(`${JSON.stringify(json)} is refused: ${message}`, () => {
    expect(() => parseFault(json)).toThrow(message);
  });
}
