import { listFaultUsages } from '@nodewright/aws-endpoints/fault-kinds';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { type OutputFormat, outputAliases, outputFlag } from '../../../terminal/output.ts';
import {
  parsePeriod,
  parsePlainText,
  parsePodLabels,
  parseTimestamp,
  parseWholeNumber,
  positiveNumber,
} from '../../../terminal/parsers.ts';
import type { FaultFlags } from './faults.ts';

type ControlFlags = { readonly output?: OutputFormat };
const controlFlags = { output: outputFlag };
/** Kept as it was typed: the sandbox reads it. */
const parseClockAge = (value: string): string => {
  parsePeriod(value);
  return value;
};

const parseUntil = (value: string): string => {
  parseTimestamp(value);
  return value;
};

const oneArgument = <T>(parse: (value: string) => T, placeholder: string, brief: string) =>
  ({ kind: 'tuple', parameters: [{ parse, placeholder, brief }] }) as const;

const showClockCommand = buildCommand<ControlFlags>({
  docs: { brief: 'Show the time of the sandbox and how fast it passes' },
  parameters: { flags: controlFlags, aliases: outputAliases },
  loader: async () => (await import('./clock.ts')).showClock,
});

const advanceClockCommand = buildCommand<ControlFlags & { readonly until?: string }, [string?]>({
  docs: {
    brief: 'Let the time pass as fast as the machine can; returns when the world is quiet',
    fullDescription:
      'How much, or until when. Shows how far it is on a terminal. Ctrl-C stops it at the next step; the sandbox stays at the time that it has reached.',
  },
  parameters: {
    flags: {
      ...controlFlags,
      until: { kind: 'parsed', parse: parseUntil, optional: true, brief: 'Until when, RFC 3339' },
    },
    aliases: outputAliases,
    positional: {
      kind: 'tuple',
      parameters: [{ parse: parseClockAge, placeholder: 'age', brief: 'How much: 10d, 2w, 1h30m', optional: true }],
    },
  },
  loader: async () => (await import('./clock.ts')).advanceClock,
});

const pauseClockCommand = buildCommand<ControlFlags>({
  docs: { brief: 'Stop the time' },
  parameters: { flags: controlFlags, aliases: outputAliases },
  loader: async () => (await import('./clock.ts')).pauseClock,
});

const resumeClockCommand = buildCommand<ControlFlags>({
  docs: { brief: 'Let the time pass again' },
  parameters: { flags: controlFlags, aliases: outputAliases },
  loader: async () => (await import('./clock.ts')).resumeClock,
});

const setClockSpeedCommand = buildCommand<ControlFlags, [number]>({
  docs: { brief: 'Change how many seconds pass in one' },
  parameters: {
    flags: controlFlags,
    aliases: outputAliases,
    positional: oneArgument(positiveNumber, 'speed', 'Simulated seconds per second'),
  },
  loader: async () => (await import('./clock.ts')).setClockSpeed,
});

/** `nodewright sandbox clock`. */
export const clockCommand = buildRouteMap({
  routes: {
    show: showClockCommand,
    advance: advanceClockCommand,
    pause: pauseClockCommand,
    resume: resumeClockCommand,
    speed: setClockSpeedCommand,
  },
  defaultCommand: 'show',
  docs: { brief: 'The time of a running sandbox' },
});

/** `nodewright sandbox calls`. */
export const callsCommand = buildCommand<ControlFlags & { readonly since: number }>({
  docs: { brief: 'List the AWS calls that a running sandbox has served, in order' },
  parameters: {
    flags: {
      ...controlFlags,
      since: {
        kind: 'parsed',
        parse: parseWholeNumber,
        default: '0',
        brief: 'Only calls after the one of this number',
      },
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./calls.ts')).listCalls,
});

const listFaultsCommand = buildCommand<ControlFlags>({
  docs: { brief: 'List what goes wrong at present' },
  parameters: { flags: controlFlags, aliases: outputAliases },
  loader: async () => (await import('./faults.ts')).listFaults,
});

const faultField = <T>(parse: (value: string) => T, brief: string) =>
  ({ kind: 'parsed', parse, optional: true, brief }) as const;

const addFaultCommand = buildCommand<FaultFlags, [string]>({
  docs: {
    brief: 'Let something go wrong until it is cleared',
    fullDescription: [
      'A field that is left out matches everything. Kinds, with their optional flags in brackets:',
      ...listFaultUsages().map(({ usage, summary }) => `${usage}: ${summary}`),
    ].join('\n  '),
  },
  parameters: {
    flags: {
      ...controlFlags,
      service: faultField(parsePlainText, 'AWS service, ec2'),
      operation: faultField(parsePlainText, 'Operation, CreateFleet'),
      times: faultField(parseWholeNumber, 'How many calls are refused before the fault ends by itself'),
      delay: faultField(parseWholeNumber, 'Milliseconds of the sandbox that answers are held back'),
      instanceType: faultField(parsePlainText, 'Instance type, m6g.xlarge'),
      zone: faultField(parsePlainText, 'Zone, us-east-1a'),
      capacityType: faultField(parsePlainText, 'spot or on-demand'),
      vcpus: faultField(parseWholeNumber, 'How many vCPUs the account may run'),
      quotaCode: faultField(parsePlainText, 'Quota of EC2, L-1216C47A [all that count vCPUs]'),
      name: faultField(parsePlainText, 'Alarm of CloudWatch that an instance refresh heeds'),
      subnet: faultField(parsePlainText, 'Subnet without free addresses, subnet-0123'),
      nodegroup: faultField(parsePlainText, 'Managed node group'),
      code: faultField(
        parsePlainText,
        'Error code, UnauthorizedOperation; that of a health issue, AutoScalingGroupRateLimitExceeded; or of a plan, instance-stop',
      ),
      message: faultField(parsePlainText, 'What the refusal or the health issue says'),
      category: faultField(parsePlainText, 'UPGRADE_READINESS or ROLLBACK_READINESS'),
      status: faultField(parsePlainText, 'PASSING, WARNING, ERROR or UNKNOWN'),
      lag: faultField(parsePeriod, 'How old descriptions are: 30s'),
      notice: faultField(parsePeriod, 'From the warning to the end [2m]'),
      instanceId: faultField(parsePlainText, 'One instance, i-0123456789abcdef0'),
      capacityReservationId: faultField(parsePlainText, 'One capacity reservation, cr-0123456789abcdef0'),
      check: faultField(parsePlainText, 'Which check of EC2 fails: instance or system'),
      behavior: faultField(
        parsePlainText,
        'neverJoins, joinsLate, stopsRenewing (its kubelet dies), notReady, containersFail, gpuMissing or healthy',
      ),
      pods: faultField(parsePodLabels, 'Labels of the pods whose containers fail, app=web [half of all pods]'),
    },
    aliases: outputAliases,
    positional: oneArgument(parsePlainText, 'kind', 'What goes wrong, by one of the kinds above'),
  },
  loader: async () => (await import('./faults.ts')).addFault,
});

const clearFaultsCommand = buildCommand<ControlFlags, [string?]>({
  docs: { brief: 'End one fault, or all of them' },
  parameters: {
    flags: controlFlags,
    aliases: outputAliases,
    positional: {
      kind: 'tuple',
      parameters: [{ parse: parsePlainText, placeholder: 'id', brief: 'Id of the fault [all]', optional: true }],
    },
  },
  loader: async () => (await import('./faults.ts')).clearFaults,
});

/** `nodewright sandbox fault`. */
export const faultCommand = buildRouteMap({
  routes: { list: listFaultsCommand, add: addFaultCommand, clear: clearFaultsCommand },
  defaultCommand: 'list',
  docs: { brief: 'What goes wrong in a running sandbox: throttling, missing capacity, reclaimed instances, ...' },
});
