import type { Random } from '@nodewright/runtime';
import { readOwn } from '@nodewright/apis';
import { arnOf } from '../account.ts';
import type { Ec2Instance } from '../ec2/instance.ts';
import { writeInstance } from '../ec2/instance-on-the-wire.ts';
import type { Ec2 } from '../ec2/model.ts';
import { readRecordPath } from '../ec2/record-paths.ts';
import type { ExperimentTarget } from './template.ts';

/** Returns the ids of the instances that a target stands for now, in the order of their launches. */
export function resolveInstances(ec2: Ec2, target: ExperimentTarget, random: Random): readonly string[] {
  const found = ec2.instances.all().filter((instance) => isInTarget(ec2, target, instance));
  return selectSome(
    found.map(({ id }) => id),
    target.selectionMode ?? 'ALL',
    random,
  );
}

export const arnOfInstance = ({ account }: Pick<Ec2, 'account'>, id: string): string =>
  arnOf(account, 'ec2', `instance/${id}`);

function isInTarget(ec2: Ec2, target: ExperimentTarget, instance: Ec2Instance): boolean {
  const { resourceType, resourceArns = [], resourceTags = {}, filters = [] } = target;
  if (instance.state === 'shutting-down' || instance.state === 'terminated') return false;
  const isSpot = instance.settings.capacityType === 'spot';
  if (resourceType === 'aws:ec2:spot-instance' && (!isSpot || instance.state !== 'running')) return false;
  if (resourceArns.length > 0) return resourceArns.includes(arnOfInstance(ec2, instance.id));
  const tags = ec2.tags.of(instance.id);
  if (Object.entries(resourceTags).some(([key, value]) => readOwn(tags, key) !== value)) return false;
  if (filters.length === 0) return true;
  const record = writeInstance(ec2, instance);
  return filters.every(({ path = '', values = [] }) =>
    readRecordPath(record, path.split('.')).some((value) => values.includes(value)),
  );
}

/** Whether a selection mode is one of FIS. */
export const isSelectionMode = (mode: string): boolean =>
  /^(ALL|COUNT\([1-9]\d*\)|PERCENT\((100|[1-9]\d?)\))$/.test(mode);

/** Takes so many as the mode says, at random. A share is rounded down. */
function selectSome(ids: readonly string[], mode: string, random: Random): readonly string[] {
  const [, kind, number] = /^(COUNT|PERCENT)\((\d+)\)$/.exec(mode) ?? [];
  if (number === undefined) return ids;
  const count = kind === 'COUNT' ? Number(number) : Math.floor((ids.length * Number(number)) / 100);
  const left = [...ids];
  const chosen = new Set<string>();
  while (chosen.size < count && left.length > 0) {
    for (const id of left.splice(random.integer(left.length), 1)) chosen.add(id);
  }
  return ids.filter((id) => chosen.has(id));
}
