import type { RefreshPreferences as Asked } from '@aws-sdk/client-auto-scaling';
import { autoScalingValidationError } from '../errors.ts';
import type { RefreshPreferences } from '../group/instance-refresh.ts';

const mostAlarms = 10;

type PreferenceDefaults = { readonly healthCheckGraceSeconds: number };

/** What a refresh was asked to heed, with Auto Scaling's defaults. The model of the service has held the numbers in their bounds. @throws AwsError `ValidationError` */
export function preferencesOf(asked: Asked, { healthCheckGraceSeconds }: PreferenceDefaults): RefreshPreferences {
  const preferences = {
    minHealthy: asked.MinHealthyPercentage ?? 90,
    ...(asked.MaxHealthyPercentage !== undefined && { maxHealthy: asked.MaxHealthyPercentage }),
    warmupSeconds: asked.InstanceWarmup ?? healthCheckGraceSeconds,
    checkpoints: checkpointsOf(asked),
    checkpointDelaySeconds: asked.CheckpointDelay ?? 3600,
    skipMatching: asked.SkipMatching ?? false,
    bakeSeconds: asked.BakeTime ?? 0,
    autoRollback: asked.AutoRollback ?? false,
    alarms: alarmsOf(asked),
    protectedInstances: asked.ScaleInProtectedInstances ?? 'Wait',
    standbyInstances: asked.StandbyInstances ?? 'Wait',
  } as const;
  checkPair(asked);
  return preferences;
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
  if (!isAscending)
    throw autoScalingValidationError(`CheckpointPercentages are ${asked.join(', ')}, they must ascend.`);
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
