import type {
  DescribeInstanceStatusRequest,
  DescribeInstanceStatusResult,
  EventCode,
  InstanceStatus,
  InstanceStatusSummary,
} from '@aws-sdk/client-ec2';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import type { Ec2Instance } from './instance.ts';
import { filterableInstance, knownInstances } from './instance-operations.ts';
import { stateOnTheWire } from './instance-on-the-wire.ts';
import { findImpairment } from './kernel-panic.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

/** Lists running instances, and the others with `IncludeAllInstances`. */
export function describeInstanceStatus(ec2: Ec2, request: DescribeInstanceStatusRequest): DescribeInstanceStatusResult {
  const asked =
    request.InstanceIds === undefined ? ec2.instances.allDescribed() : knownInstances(ec2, request.InstanceIds);
  const told = asked
    .filter(({ state }) => request.IncludeAllInstances === true || state === 'running')
    .map((instance): InstanceWithStatus => ({ instance, status: readInstanceStatus(ec2, instance) }));
  const found = applyFilters(told, request.Filters, filterable(ec2));
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { InstanceStatuses: items.map(({ status }) => status), ...(next && { NextToken: next }) };
}

type InstanceWithStatus = { readonly instance: Ec2Instance; readonly status: InstanceStatus };

const statusRecordPaths = parseRecordPaths(`
  availability-zone-id AvailabilityZoneId
  event.instance-event-id Events.InstanceEventId
  event.not-after Events.NotAfter
  event.not-before Events.NotBefore
  event.not-before-deadline Events.NotBeforeDeadline
  operator.managed Operator.Managed
  operator.principal Operator.Principal
  attached-ebs-status.status AttachedEbsStatus.Status
  application-status.status ApplicationStatus.Status
`);

function filterable(ec2: Ec2): Filterable<InstanceWithStatus> {
  const ofInstances = Object.entries(filterableInstance(ec2).attributes);
  return {
    records: { write: ({ status }) => status, paths: statusRecordPaths },
    tags: ({ instance }) => ec2.tags.of(instance.id),
    attributes: {
      ...Object.fromEntries(
        ofInstances.map(([name, read]) => [name, ({ instance }: InstanceWithStatus) => read(instance)]),
      ),
      'instance-status.status': ({ status }) => status.InstanceStatus?.Status,
      'instance-status.reachability': ({ status }) => status.InstanceStatus?.Details?.[0]?.Status,
      'system-status.status': ({ status }) => status.SystemStatus?.Status,
      'system-status.reachability': ({ status }) => status.SystemStatus?.Details?.[0]?.Status,
      'event.code': ({ status }) => (status.Events ?? []).flatMap(({ Code }) => Code ?? []),
      'event.description': ({ status }) => (status.Events ?? []).flatMap(({ Description }) => Description ?? []),
    },
  };
}

const writeVolumeStatus = (state: Ec2Instance['state']): InstanceStatus['AttachedEbsStatus'] =>
  state === 'running'
    ? { Status: 'ok', Details: [{ Name: 'reachability', Status: 'passed' }] }
    : { Status: 'not-applicable', Details: [] };

/** An instance passes its checks unless a fault makes one fail, or its own scripts. Faults also schedule events. */
function readInstanceStatus({ clock, faults }: Ec2, instance: Ec2Instance): InstanceStatus {
  const { id, zone, zoneId, state } = instance;
  const failing = faults.find('impaired-instance').filter(({ instanceId }) => instanceId === id);
  const summaryOf = (check: 'instance' | 'system'): InstanceStatusSummary => {
    if (state !== 'running') return { Status: 'not-applicable', Details: [] };
    const imposed = failing.find((fault) => (fault.check ?? 'instance') === check)?.since;
    const since = imposed ?? (check === 'instance' ? findImpairment(instance, clock.now()) : undefined);
    if (since === undefined) return { Status: 'ok', Details: [{ Name: 'reachability', Status: 'passed' }] };
    return {
      Status: 'impaired',
      Details: [{ Name: 'reachability', Status: 'failed', ImpairedSince: new Date(since) }],
    };
  };
  return {
    InstanceId: id,
    AvailabilityZone: zone,
    AvailabilityZoneId: zoneId,
    Operator: { Managed: false },
    InstanceState: stateOnTheWire(state),
    InstanceStatus: summaryOf('instance'),
    SystemStatus: summaryOf('system'),
    AttachedEbsStatus: writeVolumeStatus(state),
    Events: faults
      .find('scheduled-change')
      .filter(({ instanceId }) => instanceId === id)
      .map(({ code = 'instance-retirement', startsAt = '' }) => ({
        InstanceEventId: `instance-event-${id.slice(2)}`,
        Code: code as EventCode,
        Description: `The instance is scheduled for ${code.replaceAll('-', ' ')}`,
        NotBefore: new Date(startsAt),
      })),
  };
}
