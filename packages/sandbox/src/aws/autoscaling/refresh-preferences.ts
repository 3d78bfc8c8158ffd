import type { RefreshPreferences as Asked } from '@aws-sdk/client-auto-scaling';
import { validation } from './errors.ts';
import type { Group, RefreshPreferences } from './group.ts';

const defaults = { minHealthy: 90, maxHealthy: 100, checkpointDelaySeconds: 3600 };

/** What a refresh was asked to heed, with Auto Scaling's defaults. @throws AwsError `ValidationError` */
export function preferencesOf(asked: Asked, { healthCheckGraceSeconds }: Group): RefreshPreferences {
  const preferences = {
    minHealthy: within('MinHealthyPercentage', asked.MinHealthyPercentage ?? defaults.minHealthy, [0, 100]),
    maxHealthy: within('MaxHealthyPercentage', asked.MaxHealthyPercentage ?? defaults.maxHealthy, [100, 200]),
    warmupSeconds: within('InstanceWarmup', asked.InstanceWarmup ?? healthCheckGraceSeconds, [0, Infinity]),
    checkpoints: checkpointsOf(asked),
    checkpointDelaySeconds: within(
      'CheckpointDelay',
      asked.CheckpointDelay ?? defaults.checkpointDelaySeconds,
      [0, 172_800],
    ),
    skipMatching: asked.SkipMatching ?? false,
  };
  checkPair(asked);
  return preferences;
}

function within(name: string, value: number, [least, most]: readonly [number, number]): number {
  if (value >= least && value <= most) return value;
  const bounds = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
  throw validation(`${name} is ${value}, it must be ${bounds}.`);
}

function checkPair({ MinHealthyPercentage: min, MaxHealthyPercentage: max }: Asked): void {
  if (max === undefined) return;
  if (min === undefined) throw validation('MaxHealthyPercentage needs MinHealthyPercentage beside it.');
  if (max - min > 100)
    throw validation(`MinHealthyPercentage ${min} and MaxHealthyPercentage ${max} must be at most 100 apart.`);
}

function checkpointsOf({ CheckpointPercentages: asked = [] }: Asked): readonly number[] {
  const isAscending = asked.every((each, at) => at === 0 || each > (asked[at - 1] ?? 0));
  if (!isAscending || asked.some((each) => each < 1 || each > 100))
    throw validation(`CheckpointPercentages are ${asked.join(', ')}, they must ascend from at least 1 to at most 100.`);
  return asked.length === 0 ? [100] : asked;
}
