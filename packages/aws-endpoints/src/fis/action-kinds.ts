import { hours, minutes, readOwn, seconds } from '@nodewright/apis';
import { experimentRefused } from './errors.ts';
import { parseIsoDuration } from './iso-duration.ts';
import type { ExperimentAction } from './template.ts';

/** What an action does to its instances, in milliseconds from its start. */
export type ActionEffect = {
  readonly afterMs: number;
  readonly kind: 'recommend-rebalance' | 'interrupt' | 'terminate' | 'stop' | 'start' | 'reboot';
};

export type ActionCourse = { readonly lastsMs: number; readonly effects: readonly ActionEffect[] };

type ActionKind = {
  readonly description: string;
  /** What the action calls its targets, and their type. */
  readonly target?: { readonly name: string; readonly resourceType: string };
  /** @throws AwsError for a wrong parameter */
  readonly plan: (parameters: Readonly<Record<string, string>>) => ActionCourse;
};

const instances = { name: 'Instances', resourceType: 'aws:ec2:instance' };

/** How long an action takes that has nothing to wait for. */
const shortestMs = seconds(1);

/** EC2 gives this notice, of which FIS only decides when it comes. */
export const interruptionNoticeMs = minutes(2);

/** The actions that the sandbox plays. */
const actionKinds: Readonly<Record<string, ActionKind>> = {
  'aws:ec2:reboot-instances': {
    description: 'Reboot the specified EC2 instances.',
    target: instances,
    plan: () => ({ lastsMs: shortestMs, effects: [{ afterMs: 0, kind: 'reboot' }] }),
  },
  'aws:ec2:send-spot-instance-interruptions': {
    description: 'Interrupt the specified EC2 Spot Instances.',
    target: { name: 'SpotInstances', resourceType: 'aws:ec2:spot-instance' },
    plan: (parameters) => {
      const range = { leastMs: interruptionNoticeMs, mostMs: minutes(15) };
      const lastsMs = readDuration(parameters, 'durationBeforeInterruption', range);
      const effects: readonly ActionEffect[] = [
        { afterMs: 0, kind: 'recommend-rebalance' },
        { afterMs: lastsMs - interruptionNoticeMs, kind: 'interrupt' },
      ];
      return { lastsMs, effects };
    },
  },
  'aws:ec2:stop-instances': {
    description: 'Stop the specified EC2 instances.',
    target: instances,
    plan: (parameters) => {
      const stop: ActionEffect = { afterMs: 0, kind: 'stop' };
      if (readOwn(parameters, 'startInstancesAfterDuration') === undefined)
        return { lastsMs: shortestMs, effects: [stop] };
      const range = { leastMs: minutes(1), mostMs: hours(12) };
      const lastsMs = readDuration(parameters, 'startInstancesAfterDuration', range);
      return { lastsMs, effects: [stop, { afterMs: lastsMs, kind: 'start' }] };
    },
  },
  'aws:ec2:terminate-instances': {
    description: 'Terminate the specified EC2 instances.',
    target: instances,
    plan: () => ({ lastsMs: shortestMs, effects: [{ afterMs: 0, kind: 'terminate' }] }),
  },
  'aws:fis:wait': {
    description: 'Wait for the specified duration.',
    plan: (parameters) => {
      const range = { leastMs: minutes(1), mostMs: hours(12) };
      return { lastsMs: readDuration(parameters, 'duration', range), effects: [] };
    },
  },
};

export const listActionKinds = (): readonly (readonly [id: string, kind: ActionKind])[] => Object.entries(actionKinds);

/** @throws AwsError for an action that the sandbox does not play */
export function findActionKind({ actionId = '' }: ExperimentAction): ActionKind {
  const kind = readOwn(actionKinds, actionId);
  if (kind !== undefined) return kind;
  const known = Object.keys(actionKinds).join(', ');
  throw experimentRefused(`The action ${actionId} is not valid: the sandbox plays ${known}.`);
}

/** Returns what the action does and how long it takes. @throws AwsError for a wrong parameter */
export const planAction = (action: ExperimentAction): ActionCourse =>
  findActionKind(action).plan(action.parameters ?? {});

function readDuration(
  parameters: Readonly<Record<string, string>>,
  name: string,
  { leastMs, mostMs }: { readonly leastMs: number; readonly mostMs: number },
): number {
  const text = readOwn(parameters, name);
  if (text === undefined) throw experimentRefused(`The action parameter ${name} is required.`);
  const duration = parseIsoDuration(text);
  if (duration !== undefined && duration >= leastMs && duration <= mostMs) return duration;
  const range = `PT${leastMs / minutes(1)}M to PT${mostMs / minutes(1)}M`;
  throw experimentRefused(`The action parameter ${name} is ${text}, it must be an ISO 8601 duration from ${range}.`);
}
