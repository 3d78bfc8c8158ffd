import { parseAge } from '@nodewright/apis';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { type OutputFormat, outputAliases, outputFlag } from '../../output.ts';
import { positiveNumber, wholeNumber } from '../parsers.ts';
import type { FaultFlags } from './faults.ts';

type Flags = { readonly output?: OutputFormat };
const flags = { output: outputFlag };
const text = (value: string): string => value;
const milliseconds = (value: string): number => parseAge(value);
/** Kept as it was typed: the sandbox reads it. */
const age = (value: string): string => {
  parseAge(value);
  return value;
};

const one = <T>(parse: (value: string) => T, placeholder: string, brief: string) =>
  ({ kind: 'tuple', parameters: [{ parse, placeholder, brief }] }) as const;

const showClock = buildCommand<Flags>({
  docs: { brief: 'Show the time of the sandbox and how fast it passes' },
  parameters: { flags, aliases: outputAliases },
  loader: async () => (await import('./clock.ts')).showClock,
});

const advanceClock = buildCommand<Flags, [string]>({
  docs: { brief: 'Let the time pass as fast as the machine can; returns when the world is quiet' },
  parameters: { flags, aliases: outputAliases, positional: one(age, 'age', 'How much: 10d, 2w, 1h30m') },
  loader: async () => (await import('./clock.ts')).advanceClock,
});

const pauseClock = buildCommand<Flags>({
  docs: { brief: 'Stop the time' },
  parameters: { flags, aliases: outputAliases },
  loader: async () => (await import('./clock.ts')).pauseClock,
});

const resumeClock = buildCommand<Flags>({
  docs: { brief: 'Let the time pass again' },
  parameters: { flags, aliases: outputAliases },
  loader: async () => (await import('./clock.ts')).resumeClock,
});

const setClockSpeed = buildCommand<Flags, [number]>({
  docs: { brief: 'Change how many seconds pass in one' },
  parameters: {
    flags,
    aliases: outputAliases,
    positional: one(positiveNumber, 'speed', 'Simulated seconds per second'),
  },
  loader: async () => (await import('./clock.ts')).setClockSpeed,
});

/** `nodewright sandbox clock`. */
export const clockCommand = buildRouteMap({
  routes: { show: showClock, advance: advanceClock, pause: pauseClock, resume: resumeClock, speed: setClockSpeed },
  defaultCommand: 'show',
  docs: { brief: 'The time of a running sandbox' },
});

/** `nodewright sandbox calls`. */
export const callsCommand = buildCommand<Flags & { readonly since: number }>({
  docs: { brief: 'List the AWS calls that a running sandbox has served, in order' },
  parameters: {
    flags: {
      ...flags,
      since: { kind: 'parsed', parse: wholeNumber, default: '0', brief: 'Only calls after the one of this number' },
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./calls.ts')).listCalls,
});

const listFaults = buildCommand<Flags>({
  docs: { brief: 'List what goes wrong at present' },
  parameters: { flags, aliases: outputAliases },
  loader: async () => (await import('./faults.ts')).listFaults,
});

const field = <T>(parse: (value: string) => T, brief: string) =>
  ({ kind: 'parsed', parse, optional: true, brief }) as const;

const addFault = buildCommand<FaultFlags, [string]>({
  docs: {
    brief: 'Let something go wrong until it is cleared',
    fullDescription: [
      'What is left out matches everything. Kinds:',
      'throttle (--service --operation --times)',
      'refusal: calls are refused with --code (--service --operation --message --times)',
      'latency (--service --operation --delay)',
      'insufficientCapacity (--instance-type --zone --capacity-type)',
      'launchFailure: fleets answer with --code, as VcpuLimitExceeded (--message --instance-type --zone --capacity-type)',
      'alarm: an alarm that instance refreshes heed rings (--name)',
      'vcpuQuota: launches of more than --vcpus are refused (--quota-code)',
      'staleDescribes: EC2 describes instances as they were --lag ago',
      'spotInterruption: a spot instance gets its notice, and ends (--instance-id --instance-type --zone --notice)',
      'zonalShift: traffic is shifted away from a zone, and nodes are not repaired (--zone)',
      'rebalanceRecommendation: EC2 warns that a spot instance may be reclaimed soon (--instance-id --instance-type --zone)',
      'reservationInterruption: a capacity reservation is taken back, and its instances end (--capacity-reservation-id --notice)',
      'scheduledChange: something is planned for an instance, as --code instance-retirement (--instance-id --instance-type --zone)',
      'impairedInstance: the checks of an instance fail, --check instance or system (--instance-id --instance-type --zone)',
      'nodeBehavior: nodes launched from now on, or the one of --instance-id, show --behavior (--instance-type --zone --capacity-type)',
    ].join('\n  '),
  },
  parameters: {
    flags: {
      ...flags,
      service: field(text, 'AWS service, ec2'),
      operation: field(text, 'Operation, CreateFleet'),
      times: field(wholeNumber, 'How many calls are refused before the fault ends by itself'),
      delay: field(wholeNumber, 'Milliseconds of the sandbox that answers are held back'),
      instanceType: field(text, 'Instance type, m6g.xlarge'),
      zone: field(text, 'Zone, us-east-1a'),
      capacityType: field(text, 'spot or on-demand'),
      vcpus: field(wholeNumber, 'How many vCPUs the account may run'),
      quotaCode: field(text, 'Quota of EC2, L-1216C47A [all that count vCPUs]'),
      name: field(text, 'Alarm of CloudWatch that an instance refresh heeds'),
      subnet: field(text, 'Subnet without free addresses, subnet-0123'),
      nodegroup: field(text, 'Managed node group'),
      code: field(
        text,
        'Error code, UnauthorizedOperation; that of a health issue, AutoScalingGroupRateLimitExceeded; or of a plan, instance-stop',
      ),
      message: field(text, 'What the refusal or the health issue says'),
      category: field(text, 'UPGRADE_READINESS or ROLLBACK_READINESS'),
      status: field(text, 'PASSING, WARNING, ERROR or UNKNOWN'),
      lag: field(milliseconds, 'How old descriptions are: 30s'),
      notice: field(milliseconds, 'From the warning to the end [2m]'),
      instanceId: field(text, 'One instance, i-0123456789abcdef0'),
      capacityReservationId: field(text, 'One capacity reservation, cr-0123456789abcdef0'),
      check: field(text, 'Which check of EC2 fails: instance or system'),
      behavior: field(
        text,
        'neverJoins, joinsLate, stopsRenewing (its kubelet dies), notReady, containersFail, gpuMissing or healthy',
      ),
    },
    aliases: outputAliases,
    positional: one(text, 'kind', 'What goes wrong: throttle, refusal, latency, ...'),
  },
  loader: async () => (await import('./faults.ts')).addFault,
});

const clearFaults = buildCommand<Flags, [string?]>({
  docs: { brief: 'End one fault, or all of them' },
  parameters: {
    flags,
    aliases: outputAliases,
    positional: {
      kind: 'tuple',
      parameters: [{ parse: text, placeholder: 'id', brief: 'Id of the fault [all]', optional: true }],
    },
  },
  loader: async () => (await import('./faults.ts')).clearFaults,
});

/** `nodewright sandbox fault`. */
export const faultCommand = buildRouteMap({
  routes: { list: listFaults, add: addFault, clear: clearFaults },
  defaultCommand: 'list',
  docs: { brief: 'What goes wrong in a running sandbox: throttling, missing capacity, reclaimed instances, ...' },
});
