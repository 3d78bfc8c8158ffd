import type { RefreshPreferences as Asked } from '@aws-sdk/client-auto-scaling';
import { validation } from '../errors.ts';
import type { RefreshPreferences } from './refresh.ts';

const mostSeconds = 172_800;
const mostAlarms = 10;

type Around = { readonly healthCheckGraceSeconds: number };

/** What a refresh was asked to heed, with Auto Scaling's defaults. @throws AwsError `ValidationError` */
export function preferencesOf(asked: Asked, { healthCheckGraceSeconds }: Around): RefreshPreferences {
  const preferences = {
    minHealthy: within('MinHealthyPercentage', asked.MinHealthyPercentage ?? 90, [0, 100]),
    ...(asked.MaxHealthyPercentage !== undefined && {
      maxHealthy: within('MaxHealthyPercentage', asked.MaxHealthyPercentage, [100, 200]),
    }),
    warmupSeconds: within('InstanceWarmup', asked.InstanceWarmup ?? healthCheckGraceSeconds, [0, Infinity]),
    checkpoints: checkpointsOf(asked),
    checkpointDelaySeconds: within('CheckpointDelay', asked.CheckpointDelay ?? 3600, [0, mostSeconds]),
    skipMatching: asked.SkipMatching ?? false,
    bakeSeconds: within('BakeTime', asked.BakeTime ?? 0, [0, mostSeconds]),
    autoRollback: asked.AutoRollback ?? false,
    alarms: alarmsOf(asked),
    protectedInstances: oneOf('ScaleInProtectedInstances', asked.ScaleInProtectedInstances, [
      'Wait',
      'Ignore',
      'Refresh',
    ]),
    standbyInstances: oneOf('StandbyInstances', asked.StandbyInstances, ['Wait', 'Ignore', 'Terminate']),
  } as const;
  checkPair(asked);
  return preferences;
}

function within(name: string, value: number, [least, most]: readonly [number, number]): number {
  if (value >= least && value <= most) return value;
  const bounds = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
  throw validation(`${name} is ${value}, it must be ${bounds}.`);
}

/** The first one holds when nothing is said. */
function oneOf<Kind extends string>(name: string, value: string | undefined, kinds: readonly [Kind, ...Kind[]]): Kind {
  const kind = value === undefined ? kinds[0] : kinds.find((each) => each === value);
  if (kind === undefined) throw validation(`${name} is ${value}, it must be one of ${kinds.join(', ')}.`);
  return kind;
}

function checkPair({ MinHealthyPercentage: min, MaxHealthyPercentage: max }: Asked): void {
  if (max === undefined) return;
  if (min === undefined) throw validation('MaxHealthyPercentage needs MinHealthyPercentage beside it.');
  if (max - min > 100)
    throw validation(`MinHealthyPercentage ${min} and MaxHealthyPercentage ${max} must be at most 100 apart.`);
}

function checkpointsOf({ CheckpointPercentages: asked = [], CheckpointDelay: delay }: Asked): readonly number[] {
  if (delay !== undefined && asked.length === 0)
    throw validation('CheckpointDelay needs CheckpointPercentages beside it.');
  const isAscending = asked.every((each, at) => at === 0 || each > (asked[at - 1] ?? 0));
  if (!isAscending || asked.some((each) => each < 1 || each > 100))
    throw validation(`CheckpointPercentages are ${asked.join(', ')}, they must ascend from at least 1 to at most 100.`);
  return asked.length === 0 ? [100] : asked;
}

function alarmsOf({ AlarmSpecification: asked }: Asked): readonly string[] {
  const alarms = asked?.Alarms ?? [];
  if (alarms.length > mostAlarms)
    throw validation(`AlarmSpecification names ${alarms.length} alarms, ${mostAlarms} are allowed.`);
  const bad = alarms.find((name) => name.trim() === '' || name.length > 255);
  if (bad !== undefined) throw validation(`The alarm name '${bad}' must have 1 to 255 characters, not only blanks.`);
  return alarms;
}
