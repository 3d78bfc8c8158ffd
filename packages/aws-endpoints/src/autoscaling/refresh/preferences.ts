import type { RefreshPreferences as Asked } from '@aws-sdk/client-auto-scaling';
import { autoScalingValidationError } from '../errors.ts';
import type { RefreshPreferences } from '../group/instance-refresh.ts';

const longestRestSeconds = 172_800;
const mostAlarms = 10;

type PreferenceDefaults = { readonly healthCheckGraceSeconds: number };

/** What a refresh was asked to heed, with Auto Scaling's defaults. @throws AwsError `ValidationError` */
export function preferencesOf(asked: Asked, { healthCheckGraceSeconds }: PreferenceDefaults): RefreshPreferences {
  const preferences = {
    minHealthy: readInRange('MinHealthyPercentage', asked.MinHealthyPercentage ?? 90, [0, 100]),
    ...(asked.MaxHealthyPercentage !== undefined && {
      maxHealthy: readInRange('MaxHealthyPercentage', asked.MaxHealthyPercentage, [100, 200]),
    }),
    warmupSeconds: readInRange('InstanceWarmup', asked.InstanceWarmup ?? healthCheckGraceSeconds, [0, Infinity]),
    checkpoints: checkpointsOf(asked),
    checkpointDelaySeconds: readInRange('CheckpointDelay', asked.CheckpointDelay ?? 3600, [0, longestRestSeconds]),
    skipMatching: asked.SkipMatching ?? false,
    bakeSeconds: readInRange('BakeTime', asked.BakeTime ?? 0, [0, longestRestSeconds]),
    autoRollback: asked.AutoRollback ?? false,
    alarms: alarmsOf(asked),
    protectedInstances: readChoice('ScaleInProtectedInstances', asked.ScaleInProtectedInstances, [
      'Wait',
      'Ignore',
      'Refresh',
    ]),
    standbyInstances: readChoice('StandbyInstances', asked.StandbyInstances, ['Wait', 'Ignore', 'Terminate']),
  } as const;
  checkPair(asked);
  return preferences;
}

function readInRange(name: string, value: number, [least, most]: readonly [number, number]): number {
  if (value >= least && value <= most) return value;
  const bounds = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
  throw autoScalingValidationError(`${name} is ${value}, it must be ${bounds}.`);
}

/** The first one holds when nothing is said. */
function readChoice<Kind extends string>(
  name: string,
  value: string | undefined,
  kinds: readonly [Kind, ...Kind[]],
): Kind {
  const kind = value === undefined ? kinds[0] : kinds.find((each) => each === value);
  if (kind === undefined)
    throw autoScalingValidationError(`${name} is ${value}, it must be one of ${kinds.join(', ')}.`);
  return kind;
}

function checkPair({ MinHealthyPercentage: min, MaxHealthyPercentage: max }: Asked): void {
  if (max === undefined) return;
  if (min === undefined) throw autoScalingValidationError('MaxHealthyPercentage needs MinHealthyPercentage beside it.');
  if (max - min > 100)
    throw autoScalingValidationError(
      `MinHealthyPercentage ${min} and MaxHealthyPercentage ${max} must be at most 100 apart.`,
    );
}

function checkpointsOf({ CheckpointPercentages: asked = [], CheckpointDelay: delay }: Asked): readonly number[] {
  if (delay !== undefined && asked.length === 0)
    throw autoScalingValidationError('CheckpointDelay needs CheckpointPercentages beside it.');
  const isAscending = asked.every((each, at) => at === 0 || each > (asked[at - 1] ?? 0));
  if (!isAscending || asked.some((each) => each < 1 || each > 100))
    throw autoScalingValidationError(
      `CheckpointPercentages are ${asked.join(', ')}, they must ascend from at least 1 to at most 100.`,
    );
  return asked.length === 0 ? [100] : asked;
}

function alarmsOf({ AlarmSpecification: asked }: Asked): readonly string[] {
  const alarms = asked?.Alarms ?? [];
  if (alarms.length > mostAlarms)
    throw autoScalingValidationError(`AlarmSpecification names ${alarms.length} alarms, ${mostAlarms} are allowed.`);
  const bad = alarms.find((name) => name.trim() === '' || name.length > 255);
  if (bad !== undefined)
    throw autoScalingValidationError(`The alarm name '${bad}' must have 1 to 255 characters, not only blanks.`);
  return alarms;
}
