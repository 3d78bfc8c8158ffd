import type {
  BatchDeleteScheduledActionAnswer,
  BatchDeleteScheduledActionType,
  BatchPutScheduledUpdateGroupActionAnswer,
  BatchPutScheduledUpdateGroupActionType,
  DeleteScheduledActionType,
  DescribeScheduledActionsType,
  PutScheduledUpdateGroupActionType,
  ScheduledActionsType,
  ScheduledUpdateGroupAction,
} from '@aws-sdk/client-auto-scaling';
import { byTextOf, instant, type Instant } from '@nodewright/apis';
import { AwsError } from '../../codec/aws-error.ts';
import { takePage } from '../../paging.ts';
import { autoScalingBadToken, autoScalingValidationError } from '../errors.ts';
import type { AutoScalingGroupRecord } from '../group/group.ts';
import { findNextRun, type ScheduledAction } from '../group/scheduled-action.ts';
import type { AutoScalingService } from '../model.ts';

/** Auto Scaling's quota of scheduled actions of a group. */
const mostScheduledActions = 125;

export function putScheduledAction(service: AutoScalingService, request: PutScheduledUpdateGroupActionType): object {
  const { autoScaling } = service;
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const { schedule = [] } = group;
  const { ScheduledActionName: name = '' } = request;
  const before = schedule.find((each) => each.name === name);
  if (before === undefined && schedule.length >= mostScheduledActions)
    throw new AwsError(
      'LimitExceeded',
      `The group ${group.name} has ${mostScheduledActions} scheduled actions, no more are allowed.`,
    );
  const action = readScheduledAction(request, { group, before, service });
  const others = schedule.filter((each) => each.name !== name);
  autoScaling.change(group.name, { schedule: [...others, action].toSorted(byTextOf((each) => each.name)) });
  autoScaling.converge(group.name);
  return {};
}

type ScheduleSources = {
  readonly group: AutoScalingGroupRecord;
  readonly before: ScheduledAction | undefined;
  readonly service: Pick<AutoScalingService, 'clock' | 'newId'>;
};

function readScheduledAction(
  request: PutScheduledUpdateGroupActionType,
  { group, before, service: { clock, newId } }: ScheduleSources,
): ScheduledAction {
  const { ScheduledActionName: name = '', MinSize: min, MaxSize: max, DesiredCapacity: desired } = request;
  if (min === undefined && max === undefined && desired === undefined)
    throw autoScalingValidationError(
      'You must specify at least one of the following: MinSize, MaxSize, or DesiredCapacity.',
    );
  checkScheduledSizes({ min, max, desired });
  const now = clock.now();
  const startAt = readScheduleTime(request.StartTime ?? request.Time, now, 'start');
  const endAt = readScheduleTime(request.EndTime, now, 'end');
  if (startAt !== undefined && endAt !== undefined && endAt <= startAt)
    throw autoScalingValidationError('Given end time is before the start time');
  const { Recurrence: recurrence, TimeZone: timeZone } = request;
  const nextAt = startAt ?? readFirstRun(recurrence, timeZone, now);
  if (nextAt === undefined) throw autoScalingValidationError('Either StartTime or Recurrence must be specified.');
  return {
    name,
    arn: before?.arn ?? arnOfAction(group, name, newId()),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(desired !== undefined && { desired }),
    ...(recurrence !== undefined && { recurrence }),
    ...(timeZone !== undefined && { timeZone }),
    ...(endAt !== undefined && { endAt }),
    nextAt,
  };
}

type ScheduledSizes = {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly desired: number | undefined;
};

function checkScheduledSizes({ min = 0, max = Infinity, desired }: ScheduledSizes): void {
  if (min > max) throw autoScalingValidationError(`Min size ${min} must be less than or equal to max size ${max}`);
  if (desired !== undefined && (desired < min || desired > max))
    throw autoScalingValidationError(`Desired capacity:${desired} must be between the min and max sizes`);
}

function readScheduleTime(time: Date | undefined, now: Instant, which: 'start' | 'end'): Instant | undefined {
  if (time === undefined) return undefined;
  if (time.getTime() <= now) throw autoScalingValidationError(`Given ${which} time is in the past`);
  return instant(time.getTime());
}

/** @throws AwsError when the recurrence is not of cron, or the time zone is unknown */
function readFirstRun(recurrence: string | undefined, timeZone: string | undefined, now: Instant): Instant | undefined {
  if (recurrence === undefined) return undefined;
  try {
    if (recurrence.trim().split(/\s+/).length === 5)
      return findNextRun({ recurrence, ...(timeZone !== undefined && { timeZone }) }, now);
  } catch {
    // The refusal follows.
  }
  throw autoScalingValidationError(
    `Given recurrence string: ${recurrence} is invalid${timeZone === undefined ? '' : ` in the time zone ${timeZone}`}`,
  );
}

const arnOfAction = ({ arn, name: group }: AutoScalingGroupRecord, name: string, id: string): string =>
  `${arn.replace(/:autoScalingGroup:.*/, '')}:scheduledUpdateGroupAction:${id}:autoScalingGroupName/${group}:scheduledActionName/${name}`;

/** Creates or changes each scheduled action on its own. The answer lists the actions that were refused. */
export function putScheduledActions(
  service: AutoScalingService,
  { AutoScalingGroupName, ScheduledUpdateGroupActions: actions = [] }: BatchPutScheduledUpdateGroupActionType,
): BatchPutScheduledUpdateGroupActionAnswer {
  service.autoScaling.group(AutoScalingGroupName ?? '');
  return {
    FailedScheduledUpdateGroupActions: actions.flatMap((action) =>
      tryAction(action.ScheduledActionName ?? '', () =>
        putScheduledAction(service, { ...action, AutoScalingGroupName }),
      ),
    ),
  };
}

export function deleteScheduledAction(service: AutoScalingService, request: DeleteScheduledActionType): object {
  const { name, schedule = [] } = service.autoScaling.group(request.AutoScalingGroupName ?? '');
  const left = schedule.filter((each) => each.name !== request.ScheduledActionName);
  if (left.length === schedule.length) throw autoScalingValidationError('Scheduled action name not found');
  service.autoScaling.change(name, { schedule: left });
  return {};
}

export function deleteScheduledActions(
  service: AutoScalingService,
  { AutoScalingGroupName, ScheduledActionNames: names = [] }: BatchDeleteScheduledActionType,
): BatchDeleteScheduledActionAnswer {
  service.autoScaling.group(AutoScalingGroupName ?? '');
  return {
    FailedScheduledActions: names.flatMap((name) =>
      tryAction(name, () => deleteScheduledAction(service, { AutoScalingGroupName, ScheduledActionName: name })),
    ),
  };
}

function tryAction(ScheduledActionName: string, work: () => object) {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return [{ ScheduledActionName, ErrorCode: error.code, ErrorMessage: error.message }];
  }
}

export function describeScheduledActions(
  { autoScaling }: AutoScalingService,
  request: DescribeScheduledActionsType,
): ScheduledActionsType {
  const { AutoScalingGroupName: groupName, ScheduledActionNames: names = [], StartTime, EndTime } = request;
  const [from, to] = [StartTime?.getTime() ?? -Infinity, EndTime?.getTime() ?? Infinity];
  const groups = groupName === undefined ? autoScaling.all() : [autoScaling.group(groupName)];
  const found = groups
    .flatMap((group) => (group.schedule ?? []).map((action) => ({ group, action })))
    // Auto Scaling looks at no times where names are given.
    .filter(({ action }) =>
      names.length > 0
        ? names.includes(action.name) || names.includes(action.arn)
        : action.nextAt >= from && action.nextAt <= to,
    );
  const page = { size: request.MaxRecords ?? 50, token: request.NextToken, refuse: autoScalingBadToken };
  const { items, next } = takePage(found, page);
  return {
    ScheduledUpdateGroupActions: items.map(({ group, action }) => writeScheduledAction(group, action)),
    ...(next && { NextToken: next }),
  };
}

const writeScheduledAction = (
  { name: group }: AutoScalingGroupRecord,
  { name, arn, min, max, desired, recurrence, timeZone, endAt, nextAt }: ScheduledAction,
): ScheduledUpdateGroupAction => ({
  AutoScalingGroupName: group,
  ScheduledActionName: name,
  ScheduledActionARN: arn,
  Time: new Date(nextAt),
  StartTime: new Date(nextAt),
  ...(endAt !== undefined && { EndTime: new Date(endAt) }),
  ...(recurrence !== undefined && { Recurrence: recurrence }),
  ...(timeZone !== undefined && { TimeZone: timeZone }),
  ...(min !== undefined && { MinSize: min }),
  ...(max !== undefined && { MaxSize: max }),
  ...(desired !== undefined && { DesiredCapacity: desired }),
});
