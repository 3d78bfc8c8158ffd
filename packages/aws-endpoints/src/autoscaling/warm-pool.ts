import type { AutoScalingDeps } from './deps.ts';
import type { AutoScalingGroupRecord, GroupInstance, WarmPool } from './group/group.ts';
import { launchIn } from './launching.ts';
import { zonesToFill } from './group/termination-policy.ts';

/** How many instances wait beside those in service: what is prepared in all, and the pool's minimum at least. */
export const warmSize = ({ warmPool, desired, max }: AutoScalingGroupRecord): number =>
  warmPool === undefined ? 0 : Math.max(warmPool.min, (warmPool.prepared ?? max) - desired);

const settledLifecycles = {
  Stopped: 'Warmed:Stopped',
  Running: 'Warmed:Running',
  Hibernated: 'Warmed:Hibernated',
} as const satisfies Record<WarmPool['state'], string>;

/** Does one step of the pool: it puts instances to rest, ends instances that EKS does not need, and launches missing ones. */
export function tendPool(group: AutoScalingGroupRecord, deps: AutoScalingDeps): AutoScalingGroupRecord {
  const before = group.warm ?? [];
  if (group.warmPool === undefined && before.length === 0) return group;
  const there = before.filter(({ id }) => isThere(id, deps)).map((instance) => putToRest(instance, group, deps));
  const kept = there.filter((instance, at) => {
    const stays = at < warmSize(group) && hasCurrentTemplate(group, instance, deps);
    if (!stays) deps.ec2.instances.terminate(instance.id);
    return stays;
  });
  return fillPool({ ...group, warm: kept }, deps);
}

/** Only EKS minds of which version prepared instances are; Auto Scaling brings them into service as they are. */
const hasCurrentTemplate = (
  group: AutoScalingGroupRecord,
  { template }: GroupInstance,
  deps: AutoScalingDeps,
): boolean =>
  group.tags.every(({ key }) => key !== 'eks:nodegroup-name') || template.version === currentVersion(group, deps);

const isThere = (id: string, { ec2 }: AutoScalingDeps): boolean => {
  const state = ec2.instances.get(id)?.state ?? 'terminated';
  return state !== 'terminated' && state !== 'shutting-down';
};

/** The group may name its version by an alias. */
const currentVersion = ({ template }: AutoScalingGroupRecord, { ec2 }: AutoScalingDeps): string | undefined => {
  const found = ec2.templates.all().find(({ id }) => id === template.id);
  if (found === undefined) return undefined;
  return String(ec2.templates.version({ LaunchTemplateId: template.id, Version: template.version }).number);
};

/** Running once, an instance is put to sleep as the pool wants its instances. */
function putToRest(
  instance: GroupInstance,
  { warmPool }: AutoScalingGroupRecord,
  { ec2 }: AutoScalingDeps,
): GroupInstance {
  const state = ec2.instances.get(instance.id)?.state;
  if (instance.lifecycle !== 'Warmed:Pending' || warmPool === undefined) return instance;
  const wanted = warmPool.state === 'Running' ? 'running' : 'stopped';
  if (state === wanted) return { ...instance, lifecycle: settledLifecycles[warmPool.state] };
  if (state === 'running') ec2.instances.stop(instance.id);
  return instance;
}

function fillPool(group: AutoScalingGroupRecord, deps: AutoScalingDeps): AutoScalingGroupRecord {
  let warm = group.warm ?? [];
  while (!group.deleting && warm.length < warmSize(group)) {
    const added = launchWarm({ ...group, instances: [...group.instances, ...warm] }, deps);
    if (added === undefined) break;
    warm = [...warm, added];
  }
  return { ...group, warm };
}

/** In the emptiest zone that has room. */
function launchWarm(group: AutoScalingGroupRecord, deps: AutoScalingDeps): GroupInstance | undefined {
  for (const zone of zonesToFill(group)) {
    const result = launchIn(zone, group, deps, { isCold: true });
    if (!('instance' in result)) continue;
    const { id, settings, launchedAt } = result.instance;
    return {
      id,
      zone,
      launchedAt,
      instanceType: settings.instanceType,
      lifecycle: 'Warmed:Pending',
      healthy: true,
      protected: false,
      template: result.template,
      activityId: '',
    };
  }
  return undefined;
}

/** An instance that comes into service from the pool, from the zone that needs one most. */
export function takeWarm(
  group: AutoScalingGroupRecord,
  { ec2, clock }: AutoScalingDeps,
): { group: AutoScalingGroupRecord; taken: GroupInstance } | undefined {
  const ready = (group.warm ?? []).filter(({ lifecycle }) => lifecycle !== 'Warmed:Pending');
  const chosen = zonesToFill(group).flatMap((zone) => ready.find((instance) => instance.zone === zone) ?? [])[0];
  if (chosen === undefined) return undefined;
  ec2.instances.start(chosen.id);
  const taken = { ...chosen, lifecycle: 'Pending' as const, launchedAt: clock.now(), protected: group.protectNew };
  return { group: { ...group, warm: (group.warm ?? []).filter(({ id }) => id !== chosen.id) }, taken };
}

/** Whether an instance that leaves service goes back to the pool. */
export const isReused = (group: AutoScalingGroupRecord, instance: GroupInstance, deps: AutoScalingDeps): boolean =>
  group.warmPool?.reuse === true &&
  !group.deleting &&
  (group.warm ?? []).length < warmSize(group) &&
  hasCurrentTemplate(group, instance, deps);

/** Instances that went back: stopped ones that left service are in the pool from now. */
export function moveBackToPool(group: AutoScalingGroupRecord, { ec2 }: AutoScalingDeps): AutoScalingGroupRecord {
  const back = group.instances.filter(
    ({ id, lifecycle }) => lifecycle === 'Terminating:Proceed' && ec2.instances.get(id)?.state === 'stopped',
  );
  if (back.length === 0) return group;
  const warm = back.map((instance) => ({ ...instance, lifecycle: 'Warmed:Pending' as const }));
  const instances = group.instances.filter((instance) => !back.includes(instance));
  return { ...group, instances, warm: [...(group.warm ?? []), ...warm] };
}
