import type { AutoScalingDeps } from './deps.ts';
import { byTextOf, instant, type Instant } from '@nodewright/apis';
import { arnOf } from '../account.ts';
import {
  groupExists,
  noActiveAction,
  noSuchAutoScalingGroup,
  noSuchInstance,
  autoScalingValidationError,
} from './errors.ts';
import { moveBackToPool } from './warm-pool.ts';
import { announceTest } from './hook-messages.ts';
import { answerHookWait, type HookResult, prolongWait, releaseFromHook } from './hook-waits.ts';
import { LaunchConfigurations } from './launch-configurations.ts';
import { withLost } from './lost-instances.ts';
import { asWrittenNow } from './refresh/saved-refresh.ts';
import { convergeGroup } from './converge.ts';
import { applyDueActions, findNextActionTime } from './due-actions.ts';
import { type AutoScalingGroupRecord, type GroupInstance, isEnding, type LifecycleHook } from './group/group.ts';

export type AutoScalingGroupSettings = Omit<
  AutoScalingGroupRecord,
  'arn' | 'createdAt' | 'instances' | 'activities' | 'refreshes' | 'suspended' | 'deleting'
>;

/** How long Auto Scaling takes to notice. */
const noticesAfterMs = 3000;

/** The Auto Scaling groups of the account. Each comes nearer to what it should be whenever something changed. */
export class AutoScaling {
  readonly configurations: LaunchConfigurations;
  readonly #deps: AutoScalingDeps;
  readonly #groups: Map<string, AutoScalingGroupRecord>;
  readonly #due = new Map<string, Instant>();
  readonly #listeners: ((name: string) => void)[] = [];

  constructor(deps: Omit<AutoScalingDeps, 'configurations'>) {
    this.configurations = new LaunchConfigurations(deps);
    this.#deps = { ...deps, configurations: this.configurations };
    this.#groups = deps.ledger.map('autoscaling/groups');
  }

  /** Goes on with the groups that were there before a restart. */
  resume(): void {
    for (const group of this.all()) {
      const whole = withLost(asWrittenNow(group), this.#deps.ec2);
      if (whole !== group) this.#groups.set(group.name, whole);
      this.converge(group.name);
    }
  }

  /** By name. */
  all(): readonly AutoScalingGroupRecord[] {
    return [...this.#groups.values()].toSorted(byTextOf(({ name }) => name));
  }

  find(name: string): AutoScalingGroupRecord | undefined {
    return this.#groups.get(name);
  }

  /** @throws AwsError `ValidationError` */
  group(name: string): AutoScalingGroupRecord {
    const group = this.#groups.get(name);
    if (group === undefined) throw noSuchAutoScalingGroup(name);
    return group;
  }

  /** @throws AwsError when no group has the instance */
  holding(instanceId: string): { readonly group: AutoScalingGroupRecord; readonly instance: GroupInstance } {
    const group = this.all().find(({ instances }) => instances.some(({ id }) => id === instanceId));
    const instance = group?.instances.find(({ id }) => id === instanceId);
    if (group === undefined || instance === undefined) throw noSuchInstance(instanceId);
    return { group, instance };
  }

  /** Told the name of every group that changed, after the fact. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.push(listener);
  }

  create(group: AutoScalingGroupSettings): AutoScalingGroupRecord {
    if (this.#groups.has(group.name)) throw groupExists(group.name);
    checkSizes(group);
    const { account, clock, random } = this.#deps;
    const arn = arnOf(account, 'autoscaling', `autoScalingGroup:${random.uuid()}:autoScalingGroupName/${group.name}`);
    const rest = { instances: [], activities: [], refreshes: [], suspended: [], deleting: false };
    return this.#keep({ ...group, ...rest, arn, createdAt: clock.now() });
  }

  /** What is given is changed; sizes that no longer fit move along as far as they must. */
  change(name: string, change: Partial<AutoScalingGroupRecord>): AutoScalingGroupRecord {
    const before = this.group(name);
    const changed = { ...before, ...change };
    const desired = change.desired ?? Math.min(Math.max(before.desired, changed.min), changed.max);
    checkSizes({ ...changed, desired });
    return this.#keep({ ...changed, desired });
  }

  /** @param decrement whether the group shrinks by it, or launches another one */
  terminate(instanceId: string, decrement: boolean): GroupInstance {
    const { group, instance } = this.holding(instanceId);
    if (isEnding(instance)) return instance;
    if (decrement && group.desired - 1 < group.min) {
      throw autoScalingValidationError(
        `Currently, desiredSize equals minSize (${group.min}). Terminating instance without replacement will violate group's min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower group's min size.`,
      );
    }
    const ending = { ...instance, lifecycle: 'Terminating' as const };
    const instances = group.instances.map((each) => (each.id === instanceId ? ending : each));
    this.#keep({ ...group, instances, desired: decrement ? group.desired - 1 : group.desired });
    this.converge(group.name);
    return ending;
  }

  putHook(name: string, hook: LifecycleHook): void {
    const group = this.group(name);
    const others = group.hooks.filter((each) => each.name !== hook.name);
    this.#keep({ ...group, hooks: [...others, hook].toSorted(byTextOf(({ name }) => name)) });
  }

  /** Sends the first message that the target of a hook hears. */
  test(name: string, target: string): void {
    announceTest(this.group(name), target, this.#deps);
  }

  removeHook(name: string, hookName: string): void {
    const group = this.group(name);
    const hooks = group.hooks.filter((each) => each.name !== hookName);
    this.#keep({ ...group, hooks, instances: group.instances.map((each) => releaseFromHook(each, hookName)) });
  }

  /** @throws AwsError when no lifecycle action waits for such an answer */
  completeAction(name: string, which: HookAnswer, result: HookResult): void {
    const { group, instance, wait } = this.#waiting(name, which);
    this.#replace(group, answerHookWait(instance, wait, result));
    this.converge(name);
  }

  heartbeat(name: string, which: HookAnswer): void {
    const { group, instance, wait } = this.#waiting(name, which);
    const hook = group.hooks.find((each) => each.name === which.hook);
    if (hook === undefined) return;
    const longer = prolongWait(wait, hook, this.#deps.clock.now());
    const waits = instance.waits?.map((each) => (each === wait ? longer : each)) ?? [];
    this.#replace(group, { ...instance, waits });
  }

  /** Deletes the group and all of its instances. With `force` lifecycle hooks are skipped. */
  remove(name: string, { force = false }: { readonly force?: boolean } = {}): void {
    const group = this.group(name);
    const hooks = force || group.deleting ? [] : group.hooks;
    const instances = force ? group.instances.map(proceeding) : group.instances;
    this.#keep({ ...group, min: 0, max: 0, desired: 0, deleting: true, hooks, instances, warmPool: undefined });
  }

  /** Handles the end of an instance that the group did not end, or EC2's warning of it. */
  noticed(instanceId: string): void {
    const group = this.all().find(({ instances, warm = [] }) =>
      [...instances, ...warm].some(({ id }) => id === instanceId),
    );
    if (group === undefined) return;
    this.#later(group.name, noticesAfterMs);
    this.#tell(group.name);
  }

  /** Lets a group act on what is true now. */
  converge(name: string): void {
    const group = this.#groups.get(name);
    if (group === undefined) return;
    const sized = applyDueActions(group, this.#deps.clock.now());
    const { group: changed, again } = convergeGroup(moveBackToPool(sized, this.#deps), this.#deps);
    if (changed.deleting && changed.instances.length === 0) this.#groups.delete(name);
    else if (changed !== group) this.#groups.set(name, changed);
    if (changed !== group || !this.#groups.has(name)) this.#tell(name);
    if (again !== undefined && this.#groups.has(name)) this.#later(name, again);
    const scheduled = this.#groups.has(name) ? findNextActionTime(changed) : undefined;
    if (scheduled !== undefined) this.#later(name, Math.max(0, scheduled - this.#deps.clock.now()));
  }

  #waiting(name: string, { hook, token, instanceId }: HookAnswer) {
    const group = this.group(name);
    for (const instance of group.instances) {
      const wait = instance.waits?.find(
        (each) => each.hook === hook && (token === undefined ? instance.id === instanceId : each.token === token),
      );
      if (wait !== undefined) return { group, instance, wait };
    }
    throw noActiveAction(instanceId ?? token ?? '');
  }

  #replace(group: AutoScalingGroupRecord, instance: GroupInstance): void {
    this.#keep({ ...group, instances: group.instances.map((each) => (each.id === instance.id ? instance : each)) });
  }

  #keep(group: AutoScalingGroupRecord): AutoScalingGroupRecord {
    this.#groups.set(group.name, group);
    this.#later(group.name, noticesAfterMs);
    this.#tell(group.name);
    return group;
  }

  #tell(name: string): void {
    for (const listener of this.#listeners) listener(name);
  }

  /** One timer per group: the earliest. */
  #later(name: string, ms: number): void {
    const { clock } = this.#deps;
    const due = instant(clock.now() + ms);
    const known = this.#due.get(name);
    if (known !== undefined && known <= due) return;
    this.#due.set(name, due);
    clock.at(due, () => {
      if (this.#due.get(name) !== due) return;
      this.#due.delete(name);
      this.converge(name);
    });
  }
}

export type HookAnswer = { readonly hook: string; readonly token?: string; readonly instanceId?: string };

const proceeding = ({ waits: _dropped, ...instance }: GroupInstance): GroupInstance => ({
  ...instance,
  lifecycle: 'Terminating:Proceed',
});

function checkSizes({ min, max, desired }: Pick<AutoScalingGroupRecord, 'min' | 'max' | 'desired'>): void {
  if (min > max)
    throw autoScalingValidationError(`Max bound, ${max}, must be greater than or equal to min bound, ${min}`);
  if (desired < min)
    throw autoScalingValidationError(`Desired capacity:${desired} must be above or equal to min size:${min}`);
  if (desired > max)
    throw autoScalingValidationError(`Desired capacity:${desired} must be below or equal to max size:${max}`);
}
