import type { Fault } from './fault.ts';

export type FaultKind = Fault['kind'];

/** What people read about a kind of fault, and the fields that it has. */
type FaultKindEntry = {
  readonly summary: string;
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
};

const call = ['service', 'operation'];
const place = ['instanceType', 'zone', 'capacityType'];
const instance = ['instanceId', 'instanceType', 'zone'];

/**
 * Every kind of fault. The parser, the help of `nodewright sandbox fault add` and docs/embedded-eks.md follow this table.
 * It imports types only, so that the command line reads it without loading the endpoints.
 */
export const faultKinds: Readonly<Record<FaultKind, FaultKindEntry>> = {
  throttle: { summary: 'calls are refused because of their rate', optional: [...call, 'times'] },
  refusal: {
    summary: 'calls are refused with an error code',
    required: ['code'],
    optional: [...call, 'message', 'times'],
  },
  latency: { summary: 'answers are held back, on real and scaled time only', required: ['delayMs'], optional: call },
  deny: { summary: 'calls are refused because the caller lacks the permission', optional: call },
  'insufficient-capacity': { summary: 'EC2 has no capacity, and launches are refused', optional: place },
  'launch-failure': {
    summary: 'fleets answer with an error code such as VcpuLimitExceeded',
    required: ['code'],
    optional: ['message', ...place],
  },
  'vcpu-quota': {
    summary:
      'the vCPU quotas of the account are lower; Service Quotas shows them, and launches beyond them are refused',
    required: ['vcpus'],
    optional: ['quotaCode'],
  },
  'no-addresses': { summary: 'subnets have no free IP addresses, and launches are refused', optional: ['subnet'] },
  'stale-describes': { summary: 'EC2 describes instances as they were a while ago', required: ['lagMs'] },
  'spot-interruption': {
    summary: 'EC2 reclaims a spot instance after a notice of two minutes',
    optional: [...instance, 'noticeMs'],
  },
  'rebalance-recommendation': {
    summary: 'EC2 warns that it may reclaim a spot instance; node groups replace the instance first',
    optional: instance,
  },
  'reservation-interruption': {
    summary: 'the owner takes a capacity reservation back, and its instances end after a notice of two minutes',
    required: ['capacityReservationId'],
    optional: ['noticeMs'],
  },
  'scheduled-change': {
    summary: 'AWS Health and EC2 announce a change of an instance, such as --code instance-retirement',
    optional: ['code', ...instance],
  },
  'impaired-instance': { summary: 'EC2 status checks of an instance fail', optional: ['check', ...instance] },
  'node-behavior': {
    summary: 'new nodes, or the node of one instance, misbehave; several behaviors add up',
    required: ['behavior'],
    optional: ['pods', 'instanceId', ...place],
  },
  alarm: {
    summary: 'a CloudWatch alarm is in state ALARM; instance refreshes that watch it fail or roll back',
    required: ['name'],
  },
  'cluster-unreachable': { summary: 'EKS cannot reach the API server of the cluster' },
  'node-group-issue': {
    summary: 'a managed node group has a health issue; all codes but four block a version update',
    required: ['code'],
    optional: ['nodegroup', 'message'],
  },
  'zonal-shift': { summary: 'traffic is shifted away from a zone, and nodes are not repaired', optional: ['zone'] },
  insight: { summary: 'an insight about the next cluster update is in state ERROR', optional: ['category', 'status'] },
};

/** Finds the kind by its name. Older data directories and clients spell it in camel case. */
export function findFaultKind(name: unknown): FaultKind | undefined {
  const wanted = typeof name === 'string' ? toKebabCase(name) : name;
  return listFaultKinds().find((kind) => kind === wanted);
}

export const listFaultKinds = (): readonly FaultKind[] => Object.keys(faultKinds) as FaultKind[];

/** Lists how each kind is written on the command line, with its summary: `deny [--service --operation]`. */
export const listFaultUsages = (): readonly { readonly usage: string; readonly summary: string }[] =>
  Object.entries(faultKinds).map(([kind, { summary, required = [], optional = [] }]) => ({
    usage: [kind, ...required.map(flagOfField), ...(optional.length > 0 ? [`[${formatFlags(optional)}]`] : [])].join(
      ' ',
    ),
    summary,
  }));

const formatFlags = (fields: readonly string[]): string => fields.map(flagOfField).join(' ');

/** Flags take durations with a unit, so that their names have none. */
const flagOfField = (field: string): string => `--${toKebabCase(field.replace(/Ms$/, ''))}`;

const toKebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
